// A loss of power with writes in data RAM: what it takes, and what capacitors save and need.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "tests/system/csv_rows.h"
#include "tests/system/power_kinds.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

const Setting kHoldsUp = set("part_overrides.controller.power_loss_protection", "true");
constexpr int kPage = 4096;

/// One die, whose programs take the three pages of a wordline at once, so that some wait for others.
Settings waiting(const Settings& more) {
  return with(small_array("array-tlc-2021",
                          {set("part_overrides.channels", "1"), set("part_overrides.dies_per_channel", "1"),
                           set("part_overrides.planes", "1"), set("part_overrides.planes_at_once", "1"),
                           set("part_overrides.segments", "64"), set("part_overrides.pages_per_segment", "24"),
                           set("part_overrides.content", "bytes"), set("ftl.write_buffer", "20"),
                           set("ftl.page_bytes", "4096"), set("workload.request_bytes", "4096"),
                           set("workload.kind", "uniform"), set("workload.warm_up_overwrites", "0"),
                           set("workload.queue_depth", "1"), set("workload.total_mib", "1")}),
              more);
}

std::vector<double> list(const ordered_json& run, const char* key) {
  return run["power_cycles"][key].get<std::vector<double>>();
}

TEST(PowerHoldUp, what_one_drive_loses_another_saves) {
  for (const Settings& losses :
       {Settings{set("power.loss_at_request", "[2]")}, Settings{set("power.loss_at_s", "[0.01]")},
        Settings{set("power.loss_at_program", "[7]")}}) {
    const auto runs = run_all({waiting(losses), waiting(with(losses, {kHoldsUp}))});
    const std::vector<double> lost = list(runs[0], "lost_bytes");
    EXPECT_GT(lost[0], 0);
    EXPECT_FALSE(runs[0]["power_cycles"].contains("saved_bytes"));
    EXPECT_FALSE(runs[0]["power_cycles"].contains("hold_up_s"));
    EXPECT_EQ(list(runs[1], "saved_bytes"), lost);
    EXPECT_EQ(list(runs[1], "lost_bytes"), std::vector<double>{0});
    EXPECT_EQ(runs[1]["host"]["wrong_reads"], 0);
    EXPECT_EQ(list(runs[1], "torn_programs"), std::vector<double>{0});
  }
  const ordered_json two = run_one_study(waiting({set("power.loss_at_request", "[2]")}));
  EXPECT_EQ(list(two, "lost_bytes"), std::vector<double>{2 * kPage}) << "they wait for a third page";
}

TEST(PowerHoldUp, what_is_programmed_is_neither_lost_nor_saved_though_nobody_has_heard_of_it) {
  const Settings pauses{set("workload.idle_every", "2"), set("workload.idle_s", "0.5"),
                        set("ftl.write_buffer_idle_s", "0.1"), set("power.loss_at_s", "[0.05, 0.7, 1.8]")};
  const auto runs = run_all({waiting(pauses), waiting(with(pauses, {kHoldsUp}))});
  EXPECT_EQ(list(runs[0], "lost_bytes"), (std::vector<double>{2 * kPage, 0, 0})) << "before the pause is long";
  EXPECT_EQ(list(runs[1], "saved_bytes"), (std::vector<double>{2 * kPage, 0, 0}));
  EXPECT_GT(list(runs[1], "hold_up_s")[0], 500e-6) << "a program";
  EXPECT_LT(list(runs[1], "hold_up_s")[2], 1e-6) << "there is nothing to do";
  EXPECT_LT(list(runs[1], "hold_up_j")[2], 1e-6);
}

TEST(PowerHoldUp, its_energy_is_that_of_the_operations_behind_the_loss_and_of_the_drive) {
  const std::string path = ::testing::TempDir() + "ftlab_hold_up_" + std::to_string(::getpid());
  const LogFiles files{path + ".ops", path + ".requests", ""};
  const Settings loss{kHoldsUp, set("power.loss_at_s", "[0.0053]")};
  const ordered_json run = run_one_study(waiting(loss), files);
  const double at = list(run, "at_s")[0];
  const double held = list(run, "hold_up_s")[0];
  // The first request begins with the measured phase.
  const double from = number(csv_rows(files.requests).front(), "begin_s") + at;
  double joules = 0;
  for (const CsvRow& row : csv_rows(files.ops)) {
    const double start = number(row, "start_s");
    const double end = start + number(row, "busy_s");
    if (row.at("kind") == "register_access" || end <= from || start >= from + held) continue;
    joules += number(row, "energy_j") * (end - std::max(start, from)) / (end - start);
  }
  for (const std::string* file : {&files.ops, &files.requests}) std::remove(file->c_str());
  EXPECT_GT(joules, 0);
  const double standby = number_at(run, "/energy/by_state_j/standby") / number_at(run, "/time/simulated_s") * held;
  EXPECT_NEAR(list(run, "hold_up_j")[0], joules + standby, 1e-3 * joules);
  EXPECT_EQ(without_run(run), without_run(run_one_study(waiting(loss)))) << "a log changes no figure";
  // What the drive draws beside its dies comes on top.
  const ordered_json drive = run_one_study(
      waiting(with(loss, {set("part_overrides.power.ram", "2"), set("part_overrides.power.controller_idle", "3")})));
  EXPECT_NEAR(list(drive, "hold_up_j")[0], list(run, "hold_up_j")[0] + 5 * held, 1e-9);
}

TEST(PowerHoldUp, behind_a_link_the_host_hears_of_nothing_that_comes_after_the_loss) {
  const Settings drive{set("part", "ssd-tlc-8x4"),
                       set("part_overrides.channels", "2"),
                       set("part_overrides.dies_per_channel", "1"),
                       set("part_overrides.segments", "256"),
                       set("part_overrides.pages_per_segment", "48"),
                       set("part_overrides.content", "bytes"),
                       set("ftl.page_bytes", "4096"),
                       set("ftl.spare_factor", "0.3"),
                       set("workload.total_mib", "8"),
                       set("workload.queue_depth", "16"),
                       set("workload.read_share", "0.3"),
                       set("power.loss_at_request", "[100, 500, 501, 900]"),
                       kHoldsUp};
  const ordered_json run = run_one_study(drive);
  EXPECT_EQ(run["power_cycles"]["losses"], 4) << "though several answers cross at once";
  EXPECT_EQ(run["host"]["wrong_reads"], 0);
  EXPECT_GT(sum_of(run["power_cycles"]["saved_bytes"]), 0);
  expect_balances(run);
}

TEST(PowerHoldUp, a_loss_while_the_end_of_a_run_is_programmed_breaks_off_nothing_that_the_firmware_is_in) {
  const LogFiles files{::testing::TempDir() + "ftlab_hold_up_end_" + std::to_string(::getpid()), "", ""};
  const Settings few{kHoldsUp, set("workload.total_mib", "0.05")};
  const ordered_json run = run_one_study(waiting(with(few, {set("power.loss_at_s", "[1000]")})), files);
  std::vector<double> ends;
  for (const CsvRow& row : csv_rows(files.ops))
    if (row.at("kind") == "buffer_program") ends.push_back(number(row, "start_s") + number(row, "busy_s"));
  std::remove(files.ops.c_str());
  const double end = ends[ends.size() - 3] - number_at(run, "/run/measured_from_s");
  // Somewhere here the firmware has taken the report of that program, and not yet acted by it.
  for (double behind = 100e-9; behind < 400e-9; behind += 20e-9) {
    std::array<char, 40> at{};
    std::snprintf(at.data(), at.size(), "[%.10f]", end + behind);
    const ordered_json lost = run_one_study(waiting(with(few, {set("power.loss_at_s", at.data())})));
    EXPECT_EQ(lost["power_cycles"]["losses"], 1) << at.data();
    EXPECT_EQ(lost["host"]["failed_requests"], 0) << at.data();
    EXPECT_EQ(list(lost, "torn_programs"), std::vector<double>{0}) << at.data();
  }
}

}  // namespace
}  // namespace ftlab::platform
