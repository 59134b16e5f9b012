// Studies whose firmware is executed by a simulated core, beside the same ones executed natively. They need the images
// of the firmware in the tree, which the stage `firmware` builds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tests/system/op_rows.h"
#include "tests/system/run_here.h"
#include "tests/system/settings.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kCores[] = {"arm", "riscv"};

/// The card is filled, and cleaned while a MiB is written; a fifth of the requests read.
Settings short_study(const Settings& more) {
  return with(small_study({{"ftl.utilization", "0.9"}, {"workload.total_mib", "1"}, {"workload.read_share", "0.2"}}),
              more);
}

/// Programs and erases of each die, in order.
using Changes = std::map<std::string, std::vector<std::tuple<bool, std::uint64_t, std::uint32_t, std::string>>>;

Changes changes_in(const std::string& log) {
  Changes changes;
  for_each_change(log, [&](const OpRow& row) {
    changes[std::string(row.device)].emplace_back(row.erase, row.address, row.bytes, std::string(row.cause));
  });
  return changes;
}

/// Runs it natively, and on cores with what they want otherwise; gives the last of these results.
ordered_json equal_on_cores(const Settings& study, const std::vector<const char*>& cores) {
  const std::string path = ::testing::TempDir() + "ftlab_core_run_" + std::to_string(::getpid());
  LogFiles logs;
  logs.ops = path;
  const ordered_json native = run_one_study(study, logs);
  const Changes changes = changes_in(logs.ops);
  ordered_json core;
  for (const char* name : cores) {
    core = run_one_study(with(study, {set("platform.processor", name)}), logs);
    EXPECT_TRUE(changes == changes_in(logs.ops)) << name;
    for (const char* key :
         {"requests", "pages_written", "pages_read", "bytes_written", "wrong_reads", "failed_requests"})
      EXPECT_EQ(native["host"][key], core["host"][key]) << name << ": " << key;
    for (const char* key : {"erases", "pages_copied", "programs"})
      EXPECT_EQ(native["flash"][key], core["flash"][key]) << name << ": " << key;
    EXPECT_EQ(native["wear"], core["wear"]) << name;
    EXPECT_EQ(core["host"]["wrong_reads"], 0) << name;
  }
  std::remove(logs.ops.c_str());
  return core;
}

TEST(CoreRun, does_to_the_card_what_the_native_run_does) {
  const ordered_json core = equal_on_cores(short_study({}), {kCores[0], kCores[1]});
  EXPECT_GT(core["flash"]["programs"], 2000);
  EXPECT_GT(core["flash"]["erases"], 5);
  EXPECT_THAT(core["summary"]["device"].get<std::string>(),
              HasSubstr("on a simulated RV32IMC core at 64 MHz, bus of "));
  EXPECT_EQ(core["firmware"]["work"]["page_write"]["count"], 0) << "work takes the core's own time";
}

TEST(CoreRun, the_page_mapped_layer_does_to_the_card_what_the_native_run_does) {
  const ordered_json core = equal_on_cores(
      short_study({set("ftl.firmware", "page"), set("ftl.separation", "sepbit"), set("ftl.utilization", "0.8")}),
      {"riscv"});
  EXPECT_GT(core["flash"]["erases"], 0);
}

Settings onenand_study(const Settings& more) {
  return with(
      {set("part", "flexonenand-4gb"), set("part_overrides.segments_per_die", "16"),
       set("part_overrides.bad_segments.reserve", "1"), set("host", "omap2420-400"), set("ftl.utilization", "0.7"),
       set("workload.kind", "hot_cold"), set("workload.total_mib", "5"), set("workload.read_share", "0.2")},
      more);
}

TEST(CoreRun, the_fms_does_to_a_flexonenand_what_the_native_run_does) {
  EXPECT_GT(equal_on_cores(onenand_study({}), {"arm"})["flash"]["erases"], 0);
}

TEST(CoreRun, two_dies_get_in_order_what_the_native_run_gives_each) {
  const ordered_json core = equal_on_cores(
      onenand_study({set("part", "flexonenand-8gb-ddp"), set("part_overrides.segments_per_die", "8"),
                     set("ftl.firmware", "page"), set("ftl.die_choice", "in_turn"), set("workload.queue_depth", "2"),
                     set("workload.total_mib", "4"), set("workload.read_share", "0")}),
      {"riscv"});
  EXPECT_GT(core["flash"]["erases"], 0);
  EXPECT_EQ(core["host"]["max_in_flight"], 2);
}

TEST(CoreRun, without_dma_the_core_copies_the_same_in_more_time) {
  for (const char* name : kCores) {
    const Settings study{set("platform.processor", name), set("workload.total_mib", "0.3")};
    const auto runs = run_all({onenand_study(study), onenand_study(with(study, {set("platform.dma", "false")}))});
    EXPECT_EQ(runs[0]["flash"], runs[1]["flash"]) << name;
    EXPECT_EQ(runs[0]["host"]["wrong_reads"], 0) << name;
    EXPECT_LT(runs[0]["time"]["simulated_s"], runs[1]["time"]["simulated_s"]) << name;
    EXPECT_LT(3 * runs[0]["processor"]["instructions"].get<double>(),
              runs[1]["processor"]["instructions"].get<double>())
        << name;
  }
}

Settings array_study(const Settings& more) {
  return with(
      {set("part", "array-tlc"), set("part_overrides.content", "bytes"), set("part_overrides.segments", "64"),
       set("part_overrides.pages_per_segment", "24"), set("part_overrides.channels", "2"),
       set("part_overrides.dies_per_channel", "2"), set("ftl.firmware", "page"), set("ftl.die_choice", "in_turn"),
       set("ftl.spare_factor", "0.4"), set("workload.queue_depth", "8"), set("workload.kind", "hot_cold"),
       set("workload.overwrites", "2"), set("workload.read_share", "0.2"), set("workload.warm_up_overwrites", "0")},
      more);
}

TEST(CoreRun, the_dies_of_an_array_get_in_order_what_the_native_run_gives_each) {
  const ordered_json core = equal_on_cores(
      array_study({set("workload.read_share", "0"), set("workload.queue_depth", "4")}), {kCores[0], kCores[1]});
  EXPECT_GT(core["flash"]["erases"], 20);
  EXPECT_GT(core["flash"]["pages_copied"], 100);
  EXPECT_EQ(core["host"]["max_in_flight"], 4);
}

TEST(CoreRun, answers_writes_from_data_ram_on_dies_that_are_filled_deeper_than_the_study_is) {
  const Settings drive{set("part", "array-tlc-2021"),
                       set("part_overrides.channels", "2"),
                       set("part_overrides.dies_per_channel", "2"),
                       set("part_overrides.segments", "64"),
                       set("part_overrides.pages_per_segment", "48"),
                       set("part_overrides.content", "bytes"),
                       set("part_overrides.planes", "1"),
                       set("part_overrides.planes_at_once", "1"),
                       set("ftl.page_bytes", "8192"),
                       set("ftl.write_buffer", "64"),
                       set("ftl.spare_factor", "0.4"),
                       set("workload.read_share", "0.3"),
                       set("workload.queue_depth", "3"),
                       set("workload.total_mib", "8")};
  const ordered_json core = equal_on_cores(drive, {kCores[0], kCores[1]});
  EXPECT_LT(core["flash"]["pages_padded"], 6);
}

TEST(CoreRun, a_drive_behind_a_link_is_served_to_the_end_though_requests_come_between_nanoseconds) {
  const ordered_json core = run_one_study(
      {set("part", "ssd-tlc-8x4"), set("part_overrides.channels", "2"), set("part_overrides.dies_per_channel", "1"),
       set("part_overrides.planes", "1"), set("part_overrides.planes_at_once", "1"),
       set("part_overrides.segments", "32"), set("part_overrides.pages_per_segment", "24"),
       set("part_overrides.page_bytes", "4096"), set("part_overrides.content", "bytes"), set("ftl.spare_factor", "0.5"),
       set("workload.read_share", "0.3"), set("workload.queue_depth", "3"), set("workload.total_mib", "1"),
       set("platform.processor", "riscv")});
  EXPECT_EQ(core["host"]["requests"], 256);
  EXPECT_EQ(core["host"]["wrong_reads"], 0);
}

TEST(CoreRun, the_fms_on_an_array_loses_nothing) {
  const ordered_json run = run_one_study(
      array_study({set("platform.processor", "riscv"), set("ftl.firmware", "fms"), set("ftl.selection", "cat"),
                   set("ftl.redistribution", "fine_grained"), set("power.loss_at_request", "[500, 900]")}));
  EXPECT_EQ(run["host"]["wrong_reads"], 0);
  EXPECT_EQ(run["power_cycles"]["mounts"], 2);
  EXPECT_GT(run["flash"]["pages_copied"], 100);
}

Settings flexfs_study(const Settings& more) {
  return with(onenand_study({set("ftl.firmware", "flexfs"), set("ftl.utilization", "0.5"),
                             set("part_overrides.segments_per_die", "32"), set("flexfs.scheme", "baseline"),
                             set("flexfs.wear_management", "false")}),
              more);
}

TEST(CoreRun, flexfs_does_to_a_flexonenand_what_the_native_run_does) {
  const ordered_json core = equal_on_cores(flexfs_study({}), {kCores[0], kCores[1]});
  EXPECT_GT(core["firmware"]["figures"]["compulsory_pages"], 100);
  EXPECT_GT(core["flash"]["erases"], 5);
}

TEST(CoreRun, flexfs_mounts_on_a_core_what_it_wrote_there) {
  const ordered_json run = run_one_study(
      flexfs_study({set("platform.processor", "arm"), set("flexfs.scheme", "la"), set("workload.total_mib", "2"),
                    set("power.loss_at_request", "[100]"), set("platform.self_check_every", "100")}));
  EXPECT_EQ(run["host"]["wrong_reads"], 0);
  EXPECT_EQ(run["power_cycles"]["mounts"], 1);
}

TEST(CoreRun, update_in_place_does_what_the_native_run_does) {
  for (const Settings& study :
       {short_study({set("ftl.firmware", "in_place"), set("ftl.utilization", "0.5"), set("workload.total_mib", "0.1")}),
        array_study({set("ftl.firmware", "in_place"), set("ftl.spare_factor", "0.5"),
                     set("workload.overwrites", "0.02"), set("workload.queue_depth", "1")})})
    EXPECT_GT(equal_on_cores(study, {"riscv"})["flash"]["erases"], 5);
}

TEST(CoreRun, depends_on_the_clock_of_the_core_and_not_on_the_quantum) {
  for (const char* name : kCores) {
    const Settings shorter{set("platform.processor", name), set("workload.total_mib", "0.1"),
                           set("workload.fill", "false")};
    const auto runs = run_all({short_study(shorter), short_study(with(shorter, {set("platform.quantum_us", "1")})),
                               short_study(with(shorter, {set("platform.core_mhz", "8")})),
                               short_study(with(shorter, {set("platform.quantum_us", "1000")}))});
    EXPECT_EQ(measured(runs[0]), measured(runs[1])) << name;
    EXPECT_EQ(measured(runs[0]), measured(runs[3])) << name;
    EXPECT_EQ(runs[0]["flash"]["programs"], runs[2]["flash"]["programs"]) << name;
    EXPECT_GT(runs[2]["time"]["simulated_s"], 1.2 * runs[0]["time"]["simulated_s"].get<double>()) << name;
  }
}

TEST(CoreRun, says_what_its_core_has_done) {
  const Settings study{set("workload.total_mib", "0.1"), set("workload.fill", "false")};
  const auto runs = run_all(
      {short_study(study), short_study(with(study, {set("platform.processor", "arm")})),
       short_study(with(study, {set("platform.processor", "arm"), set("core_overrides.energy.active_cycle", "904 pJ"),
                                set("core_overrides.energy.idle_cycle", "152 pJ")}))});
  EXPECT_FALSE(runs[0].contains("processor"));
  const ordered_json& core = runs[1]["processor"];
  const auto cycles = core["cycles"].get<double>();
  EXPECT_NEAR(cycles / 64e6, runs[1]["time"]["simulated_s"].get<double>(), 1e-6);
  double awake = 0;
  for (const auto& [cause, count] : core["awake_cycles_by_cause"].items()) awake += count.get<double>();
  EXPECT_EQ(awake, cycles - core["asleep_cycles"].get<double>());
  EXPECT_GT(awake, core["bus_cycles"].get<double>() + core["instructions"].get<double>());
  EXPECT_GT(core["asleep_cycles"], 0);
  EXPECT_GT(core["interrupts"], 0);
  EXPECT_NEAR(core["cycles_per_request"].get<double>() * runs[1]["host"]["requests"].get<double>(), awake, 1);
  EXPECT_NEAR(core["energy_by_state_j"]["active"].get<double>(), awake * 452e-12, 1e-9);
  EXPECT_NEAR(2 * core["energy_j"].get<double>(), runs[2]["processor"]["energy_j"].get<double>(), 1e-9);
  EXPECT_EQ(runs[1]["energy"], runs[2]["energy"]) << "energy of the device";
}

TEST(CoreRun, takes_the_longer_the_more_cycles_its_core_needs) {
  const Settings study{set("platform.processor", "riscv"), set("workload.total_mib", "0.1"),
                       set("workload.fill", "false")};
  const auto runs = run_all({short_study(study), short_study(with(study, {set("core_overrides.cycles.load", "20")})),
                             short_study(with(study, {set("core_overrides.memory.flash_access", "500 ns")}))});
  for (const std::size_t slower : {1U, 2U}) {
    EXPECT_EQ(runs[0]["flash"]["programs"], runs[slower]["flash"]["programs"]);
    EXPECT_GT(runs[slower]["time"]["simulated_s"], runs[0]["time"]["simulated_s"]) << slower;
  }
  EXPECT_THAT(runs[1]["summary"]["device"].get<std::string>(), HasSubstr("changed: cycles.load = 20 cycles"));
}

TEST(CoreRun, mounts_after_a_loss_of_power_with_nothing_in_memory) {
  for (const char* name : kCores) {
    const ordered_json run =
        run_one_study(short_study({set("platform.processor", name), set("workload.total_mib", "0.2"),
                                   set("platform.self_check_every", "20"), set("workload.queue_depth", "4"),
                                   set("power.loss_at_request", "[20, 30]"), set("power.loss_at_s", "[0.05]")}));
    EXPECT_EQ(run["power_cycles"]["mounts"], 3) << name;
    EXPECT_EQ(run["host"]["max_in_flight"], 4) << name;
    EXPECT_EQ(run["host"]["wrong_reads"], 0) << name;
  }
}

TEST(CoreRun, loose_and_event_timing_agree) {
  const Settings losses{set("power.loss_at_program", "[30]"), set("power.loss_at_request", "[20]")};
  const std::vector<Settings> studies{
      with(short_study(losses), {set("workload.total_mib", "0.4"), set("platform.processor", "riscv")}),
      short_study({set("workload.total_mib", "0.1"), set("platform.processor", "arm"), set("platform.dma", "false")}),
      onenand_study(with(losses, {set("workload.total_mib", "1"), set("platform.processor", "arm")})),
      array_study({set("workload.overwrites", "1"), set("platform.processor", "riscv")})};
  for (const ordered_json& run : run_in_both_styles(studies)) EXPECT_GT(run["processor"]["interrupts"], 100);
}

TEST(CoreRun, loses_power_inside_operations_of_the_part) {
  const ordered_json run = run_one_study(short_study(
      {set("platform.processor", "riscv"), set("workload.total_mib", "0.4"), set("platform.self_check_every", "20"),
       set("power.loss_at_program", "[30, 200]"), set("power.loss_at_erase", "[1]")}));
  EXPECT_EQ(run["power_cycles"]["mounts"], 3);
  EXPECT_EQ(run["host"]["wrong_reads"], 0);
  for (std::size_t loss = 0; loss < 3; ++loss)
    EXPECT_EQ(
        run["power_cycles"]["torn_programs"][loss].get<int>() + run["power_cycles"]["torn_erases"][loss].get<int>(), 1)
        << loss;
}

TEST(CoreRun, loses_power_behind_instructions) {
  for (const char* name : kCores) {
    const Settings on{set("platform.processor", name), set("workload.total_mib", "0.3")};
    const auto runs = run_in_both_styles(
        {short_study(with(on, {set("power.loss_at_instruction", "[1, 2, 40000, 300000, 900000000000]")}))});
    for (const ordered_json& run : runs) {
      EXPECT_EQ(run["power_cycles"]["planned"], 5) << name;
      EXPECT_EQ(run["power_cycles"]["losses"], 4) << name;
      EXPECT_EQ(run["power_cycles"]["mounts"], 1) << name << ": one takes millions of them";
      EXPECT_EQ(run["host"]["wrong_reads"], 0) << name;
    }
  }
}

TEST(CoreRun, what_does_not_fit_is_refused_with_the_key) {
  const auto on_core = [](const Settings& more) {
    return refusal(short_study(with({set("platform.processor", "arm")}, more)));
  };
  const Settings held{set("platform.processor", "riscv"),
                      set("part_overrides.controller.power_loss_protection", "true")};
  EXPECT_THAT(refusal(array_study(held)), AllOf(HasSubstr("platform.processor"), HasSubstr("protection = false")));
  EXPECT_THAT(refusal(array_study(with(held, {set("power.loss_at_s", "[1]")}))),
              AllOf(HasSubstr("power.loss_at_s"), HasSubstr("protection = false")));
  EXPECT_THAT(refusal(array_study({set("platform.processor", "arm"), set("platform.dma", "false")})),
              HasSubstr("platform.dma: the controller of an array takes descriptors whole"));
  EXPECT_THAT(refusal(array_study(
                  {set("platform.processor", "arm"), set("ftl.firmware", "fms"), set("ftl.segment_units", "2")})),
              HasSubstr("ftl.segment_units: on the core: "));
  EXPECT_THAT(refusal(array_study({set("platform.processor", "riscv"), set("ftl.firmware", "flexfs")})),
              HasSubstr("on the core: FlexFS moves one page after the other"));
  EXPECT_THAT(refusal(flexfs_study({set("platform.processor", "arm"), set("flexfs.partition_mib", "1.25")})),
              HasSubstr("flexfs.partition_mib: on the core: "));
  EXPECT_THAT(on_core({set("ftl.separation", "oracle"), set("ftl.pool_choice", "marginal")}),
              HasSubstr("ftl.pool_choice: \"marginal\" decides by tables"));
  EXPECT_THAT(refusal(onenand_study({set("platform.processor", "arm"), set("ftl.erase", "overlap")})),
              HasSubstr("ftl.erase: on the core: erase: \"overlap\" needs devices that erase side by side"));
  EXPECT_THAT(refusal(short_study({set("power.loss_at_instruction", "[5]")})),
              HasSubstr("power.loss_at_instruction: counts instructions of a simulated core"));
  EXPECT_THAT(on_core({set("power.loss_at_instruction", "[5.5]")}), HasSubstr("whole numbers of instructions"));
  EXPECT_THAT(on_core({set("ftl.utilization", "0.99")}), HasSubstr("ftl.utilization: on the core: "));
}

}  // namespace
}  // namespace ftlab::platform
