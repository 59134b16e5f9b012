// NAND arrays under the page-mapped firmware: host, firmware, driver, controller and dies together.
#include <gmock/gmock.h>

#include <algorithm>

#include "platform/analytic/model.h"
#include "tests/system/array_study.h"
#include "tests/system/run_here.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

/// One die, no data kept: what write amplification needs and no more.
Settings one_die(const Settings& more = {}) {
  return with({set("part", "array-slc"), set("host", "ssd-controller"), set("ftl.firmware", "page"),
               set("ftl.spare_factor", "0.15"), set("part_overrides.channels", "1"),
               set("part_overrides.dies_per_channel", "1"), set("part_overrides.planes", "1"),
               set("part_overrides.segments", "1001"), set("part_overrides.pages_per_segment", "32"),
               set("part_overrides.content", "none"), set("part_overrides.bad_segments.initial_share", "0"),
               set("workload.kind", "uniform"), set("workload.queue_depth", "32"),
               set("workload.warm_up_overwrites", "6"), set("workload.overwrites", "6")},
              more);
}

/// What a run measured, without what it was told and when it ran.
std::string figures_of(ordered_json result) {
  for (const char* own : {"run", "config", "summary"}) result.erase(own);
  return result.dump();
}

TEST(Array, bursts_of_descriptors_change_no_figure) {
  for (const char* content : {"none", "tag", "bytes"}) {
    for (const char* depth : {"1", "7", "64", "1024"}) {
      const Settings study = array_study({set("part_overrides.content", content), set("workload.queue_depth", depth),
                                          set("workload.read_share", "0.3")});
      const auto runs = run_all({study, with(study, {set("driver.bursts", "false")})});
      EXPECT_EQ(figures_of(runs[0]), figures_of(runs[1])) << content << " at depth " << depth;
    }
  }
}

TEST(Array, the_papers_policies_clean_dies_with_many_requests_in_flight) {
  const Settings locality = {set("workload.kind", "hot_cold"),      set("workload.hot_access", "0.9"),
                             set("workload.hot_data", "0.1"),       set("workload.warm_up_overwrites", "2"),
                             set("workload.queue_depth", "32"),     set("part_overrides.content", "bytes"),
                             set("platform.store_content", "true"), set("workload.read_share", "0.2")};
  const Settings fms = with(array_study(locality), {set("ftl.firmware", "fms"), set("ftl.read_only", "mixed")});
  const auto runs =
      run_all({with(fms, {set("ftl.selection", "cat"), set("ftl.redistribution", "fine_grained")}),
               with(fms, {set("ftl.selection", "greedy"), set("ftl.redistribution", "sequential")}), fms});
  for (const ordered_json& run : runs) {
    EXPECT_EQ(run["host"]["failed_requests"], 0);
    EXPECT_EQ(run["host"]["wrong_reads"], 0);
    EXPECT_GT(run["host"]["max_in_flight"], 16);
    EXPECT_GT(run["flash"]["pages_copied"], 0);
    EXPECT_GT(run["energy"]["total_j"], 0);
  }
  EXPECT_LT(runs[0]["write_amplification"], runs[1]["write_amplification"]) << "hot and cold pages lie apart";
  EXPECT_EQ(without_run(runs[0]), without_run(runs[2])) << "the first is the default";
}

TEST(Array, hot_pages_by_sums_of_ages_are_the_papers_and_take_the_processor_a_fraction) {
  const Settings fms = one_die({set("ftl.firmware", "fms"), set("workload.kind", "hot_cold"),
                                set("workload.warm_up_overwrites", "1"), set("workload.overwrites", "2")});
  const auto runs = run_all({fms, with(fms, {set("ftl.hot_mean", "all_pages")})});
  EXPECT_EQ(runs[0]["config"]["ftl"]["hot_mean"], "by_age") << "the default of arrays";
  const auto flash_of = [](const ordered_json& run) {
    return std::pair{run["flash"]["pages_copied"], run["flash"]["erases"]};
  };
  EXPECT_EQ(flash_of(runs[0]), flash_of(runs[1])) << "a die alone is cleaned alike at any speed";
  const auto rated_s = [](const ordered_json& run) {
    return run["firmware"]["work"]["page_rate"]["time_s"].get<double>();
  };
  EXPECT_GT(rated_s(runs[0]), 0);
  EXPECT_LT(20 * rated_s(runs[0]), rated_s(runs[1]));
}

TEST(Array, ages_may_be_times_and_idle_time_cleans) {
  const Settings fms = with(
      array_study({set("workload.kind", "hot_cold"), set("workload.idle_every", "500"), set("workload.idle_s", "2")}),
      {set("ftl.firmware", "fms"), set("ftl.low_water", "3"), set("ftl.high_water", "3")});
  const auto runs = run_all({fms, with(fms, {set("ftl.age_clock", "time")}),
                             with(fms, {set("ftl.idle_cleaning", "true"), set("ftl.idle_water", "4")})});
  for (const ordered_json& run : runs) {
    EXPECT_EQ(run["host"]["failed_requests"], 0);
    EXPECT_GT(run["flash"]["pages_copied"], 0);
  }
  EXPECT_NE(runs[0]["flash"]["pages_copied"], runs[1]["flash"]["pages_copied"]);
  EXPECT_LT(runs[2]["latency"]["write"]["p99_s"], runs[0]["latency"]["write"]["p99_s"])
      << "what idle time has cleaned no request waits for";
}

TEST(Array, every_request_completes_once_at_any_depth_and_reads_what_was_written) {
  for (const unsigned depth : {1U, 7U, 64U, 1024U}) {
    const ordered_json run = run_one_study(
        array_study({set("part_overrides.content", "bytes"), set("part_overrides.controller.buffer_slots", "1024"),
                     set("workload.queue_depth", std::to_string(depth)), set("workload.read_share", "0.4"),
                     set("platform.store_content", "true")}));
    const ordered_json& host = run["host"];
    EXPECT_EQ(host["requests"], host["reads"].get<std::uint64_t>() + host["writes"].get<std::uint64_t>()) << depth;
    EXPECT_EQ(run["latency"]["read"]["count"], host["reads"]) << depth;
    EXPECT_EQ(run["latency"]["write"]["count"], host["writes"]) << depth;
    EXPECT_EQ(host["failed_requests"], 0) << depth;
    EXPECT_EQ(host["wrong_reads"], 0) << depth;
    // Requests for pages that are under way wait in the host, so that the deepest queue is not filled.
    EXPECT_LE(host["max_in_flight"], depth);
    EXPECT_GE(host["max_in_flight"], std::min(depth, 64U));
  }
}

TEST(Array, requests_of_any_length_at_any_offset_read_what_was_written) {
  for (const char* bytes : {"1", "511", "513", "4095"}) {
    const ordered_json run =
        run_one_study(array_study({set("part_overrides.content", "bytes"), set("workload.read_share", "0.5"),
                                   set("workload.request_bytes", bytes), set("workload.overwrites", "0"),
                                   set("workload.total_mib", "0.05"), set("platform.store_content", "true")}));
    EXPECT_GT(run["host"]["reads"], 0) << bytes;
    EXPECT_EQ(run["host"]["failed_requests"], 0) << bytes;
    EXPECT_EQ(run["host"]["wrong_reads"], 0) << bytes;
  }
}

TEST(Array, clients_keep_their_own_depths_and_share_the_data) {
  const Settings clients =
      array_study({set("workload.queue_depth", "1"), set("workload.client_depths", "[1, 8, 8]"),
                   set("workload.client_read_shares", "[1, 0, 0]"), set("workload.warm_up_overwrites", "1"),
                   set("part_overrides.content", "bytes"), set("platform.store_content", "true")});
  const auto runs =
      run_all({with(clients, {set("driver.overtaking_reads", "0")}), clients,
               with(clients, {set("driver.suspend_programs", "true"), set("driver.suspend_erases", "true")})});
  for (const ordered_json& run : runs) {
    EXPECT_EQ(run["host"]["bytes_written"], run["device"]["logical_bytes"]);
    EXPECT_EQ(run["latency"]["read"]["count"], run["host"]["reads"]);
    EXPECT_LE(run["host"]["max_in_flight"], 17);
    EXPECT_EQ(run["host"]["wrong_reads"], 0);
    // One read after the other, without a gap.
    const double reading = run["host"]["reads"].get<double>() * run["latency"]["read"]["mean_s"].get<double>();
    EXPECT_GT(reading, 0.9 * run["time"]["simulated_s"].get<double>());
    EXPECT_LE(reading, run["time"]["simulated_s"].get<double>());
  }
  // The mean, since one read in a hundred meets a page that is being written or moved, which no suspension shortens.
  const auto mean = [&](std::size_t i) { return runs[i]["latency"]["read"]["mean_s"].get<double>(); };
  EXPECT_LT(mean(1), 0.5 * mean(0));
  EXPECT_LT(mean(2), 0.25 * mean(0));
  EXPECT_LT(mean(2), mean(1));
}

TEST(Array, that_wears_out_ends_with_a_result_however_its_dies_are_chosen) {
  std::vector<Settings> studies;
  for (const char* spare : {"0.1", "0.2", "0.3"}) {
    for (const char* seed : {"1", "2", "3"}) {
      studies.push_back({set("part", "array-slc"), set("ftl.frontiers", "host_and_cleaning"),
                         set("ftl.spare_factor", spare), set("seed", seed), set("workload.kind", "uniform"),
                         set("workload.queue_depth", "8"), set("workload.overwrites", "100000"),
                         set("part_overrides.channels", "2"), set("part_overrides.dies_per_channel", "2"),
                         set("part_overrides.segments", "128"), set("part_overrides.pages_per_segment", "16"),
                         set("part_overrides.endurance.rated_cycles", "20"),
                         set("part_overrides.endurance.median_ratio", "1.5"), set("part_overrides.content", "none")});
    }
  }
  for (const auto& run : run_all(studies)) EXPECT_EQ(run["host"]["ended_early"], true) << run["config"]["ftl"].dump();
}

TEST(Array, who_knows_the_future_copies_less) {
  const Settings hot_cold =
      one_die({set("workload.kind", "hot_cold"), set("workload.request_bytes", "4096"), set("ftl.low_water", "7")});
  const auto runs =
      run_all({with(hot_cold, {set("ftl.separation", "sepbit")}), with(hot_cold, {set("ftl.separation", "future")}),
               with(hot_cold, {set("ftl.separation", "oracle"), set("ftl.pool_choice", "greedy")})});
  const auto copied = [&](std::size_t i) { return runs[i]["write_amplification"].get<double>() - 1; };
  EXPECT_LT(copied(1), 0.75 * copied(0));
  EXPECT_LT(copied(1), 0.75 * copied(2));
  // Requests of two pages each are told page by page.
  EXPECT_EQ(runs[0]["host"]["bytes_written"], runs[1]["host"]["bytes_written"]);
  EXPECT_EQ(2 * runs[0]["host"]["writes"].get<std::uint64_t>(), runs[1]["host"]["writes"]);
}

TEST(Array, more_dies_write_faster) {
  std::vector<Settings> studies;
  for (const char* dies : {"1", "2", "4"}) {
    studies.push_back(array_study({set("part_overrides.channels", "1"), set("part_overrides.dies_per_channel", dies)}));
  }
  const auto runs = run_all(studies);
  EXPECT_GT(write_speed(runs[1]), 1.5 * write_speed(runs[0]));
  EXPECT_GT(write_speed(runs[2]), 1.5 * write_speed(runs[1]));
}

TEST(Array, time_of_dies_balances_and_says_what_they_worked_for) {
  const Settings writes = array_study({set("ftl.spare_factor", "0.25")});
  for (const ordered_json& run :
       run_all({writes, with(writes, {set("part_overrides.planes", "2")}),
                with(writes, {set("workload.read_share", "0.5")}),
                with(writes, {set("workload.read_share", "0.5"), set("driver.suspend_programs", "true")})})) {
    const ordered_json& dies = run["dies"];
    const double worked = sum_of(dies["time_by_cause_s"]);
    const double elapsed = run["time"]["simulated_s"];
    EXPECT_NEAR(sum_of(dies["time_by_operation_s"]), worked, 1e-9);
    EXPECT_NEAR(dies["mean_working"].get<double>() * elapsed, worked, 1e-9);
    EXPECT_NEAR(dies["utilization"].get<double>() * 8, dies["mean_working"], 1e-9);
    EXPECT_LE(dies["utilization_least"], dies["utilization"]);
    EXPECT_GE(dies["utilization_most"], dies["utilization"]);
    EXPECT_NEAR(run["channels"]["utilization"].get<double>() * 4 * elapsed, run["channels"]["time_s"], 1e-9);
    EXPECT_GT(run["channels"]["utilization"], 0);
    EXPECT_LT(run["channels"]["utilization"], 1);
    EXPECT_GT(dies["time_by_cause_s"]["clean"].get<double>(), 0.2 * worked);
    EXPECT_LT(run["time"]["by_cause_s"]["clean"].get<double>(), 0.1 * elapsed) << "the host does not wait for it";
  }
}

TEST(Array, programs_of_the_host_queued_before_a_cleaning_are_booked_as_its_own) {
  const Settings eight_pages{set("workload.request_bytes", "16384")};
  const auto runs =
      run_all({array_study(with(eight_pages, {set("workload.kind", "sequential")})), array_study(eight_pages),
               array_study(with(eight_pages, {set("ftl.firmware", "fms"), set("ftl.high_water", "6")}))});
  ASSERT_EQ(runs[0]["flash"]["pages_copied"], 0);
  const double each = runs[0]["dies"]["time_by_operation_s"]["buffer_program"].get<double>() /
                      runs[0]["host"]["pages_written"].get<double>();
  for (const ordered_json& run : runs) {
    const double programs = each * run["host"]["pages_written"].get<double>();
    EXPECT_NEAR(run["dies"]["time_by_cause_s"]["host"], programs, 1e-9);
  }
}

TEST(Array, amplification_in_bytes_counts_whole_pages_for_requests_of_a_quarter) {
  const Settings quarters{set("workload.request_bytes", "512"), set("ftl.spare_factor", "0.4")};
  const auto runs = run_all({array_study(), array_study(quarters)});
  EXPECT_EQ(runs[0]["write_amplification"], runs[0]["write_amplification_bytes"]);
  EXPECT_DOUBLE_EQ(runs[1]["write_amplification_bytes"], 4 * runs[1]["write_amplification"].get<double>());
}

TEST(Array, write_amplification_is_that_of_the_models) {
  const struct {
    const char* selection;
    const char* model;
  } kCases[] = {{"greedy", "greedy_exact"}, {"lru", "lru"}, {"d_choices", "d_choices"}};
  std::vector<Settings> studies;
  for (const auto& c : kCases) studies.push_back(one_die({set("ftl.selection", c.selection)}));
  const auto runs = run_all(studies);
  analytic::Inputs inputs;
  inputs.spare_factor = 0.15;
  inputs.pages_per_segment = 32;
  inputs.d = 10;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const analytic::Model* model = analytic::find_model(kCases[i].model);
    ASSERT_NE(model, nullptr) << kCases[i].model;
    const double expected = analytic::evaluate(*model, inputs).value;
    EXPECT_NEAR(runs[i]["write_amplification"].get<double>(), expected, 0.015 * expected) << kCases[i].selection;
  }
}

TEST(Array, a_seed_gives_one_result_and_another_seed_another) {
  const auto runs = run_all({array_study(), array_study(), array_study({set("seed", "2")})});
  EXPECT_EQ(without_run(runs[0]), without_run(runs[1]));
  EXPECT_NE(figures_of(runs[0]), figures_of(runs[2]));
}

TEST(Array, programs_are_the_hosts_and_the_copies_and_energy_adds_up) {
  const ordered_json run = run_one_study(array_study());
  const ordered_json& flash = run["flash"];
  EXPECT_GT(flash["pages_copied"], 0);
  EXPECT_EQ(flash["programs"],
            run["host"]["pages_written"].get<std::uint64_t>() + flash["pages_copied"].get<std::uint64_t>());
  double sum = 0;
  for (const auto& [operation, joules] : run["energy"]["by_operation_j"].items()) sum += joules.get<double>();
  const double active = run["energy"]["by_state_j"]["active"];
  EXPECT_NEAR(sum, active, 1e-9 * active);
}

TEST(Array, segments_and_victims_are_counted_by_their_valid_pages) {
  for (const char* selection : {"greedy", "d_choices"}) {
    const ordered_json run =
        run_one_study(one_die({set("ftl.selection", selection), set("part_overrides.segments", "301")}));
    const ordered_json& flash = run["flash"];
    std::uint64_t cleaned = 0;
    std::uint64_t copied = 0;
    for (std::size_t valid = 0; valid < flash["victims_by_valid"].size(); ++valid) {
      cleaned += flash["victims_by_valid"][valid].get<std::uint64_t>();
      copied += valid * flash["victims_by_valid"][valid].get<std::uint64_t>();
    }
    EXPECT_EQ(cleaned, run["firmware"]["cleanings"]);
    EXPECT_EQ(copied, flash["pages_copied"]);
    // Reserve and write frontier are not full.
    std::uint64_t full = 0;
    for (const ordered_json& count : flash["segments_by_valid"]) full += count.get<std::uint64_t>();
    EXPECT_LE(full, 300U);
    EXPECT_GE(full, 297U);
  }
}

TEST(Array, only_a_run_after_its_warm_up_is_at_rest) {
  const auto runs =
      run_all({one_die({set("workload.warm_up_overwrites", "0"), set("workload.overwrites", "4")}), one_die()});
  EXPECT_EQ(runs[0]["steady_state"]["reached"], false);
  EXPECT_EQ(runs[1]["steady_state"]["reached"], true);
}

TEST(Array, reads_beside_a_warm_up_take_nothing_of_what_is_measured) {
  const Settings mixed = array_study(
      {set("workload.warm_up_overwrites", "2"), set("workload.read_share", "0.5"), set("ftl.spare_factor", "0.4")});
  for (const ordered_json& run : run_all({mixed, with(mixed, {set("ftl.separation", "future")})})) {
    EXPECT_EQ(run["host"]["bytes_written"].get<std::uint64_t>() + run["host"]["bytes_read"].get<std::uint64_t>(),
              run["device"]["logical_bytes"].get<std::uint64_t>());
  }
}

TEST(Array, arrival_times_go_on_from_the_end_of_the_warm_up) {
  const Settings timed = array_study({set("workload.arrival", "poisson"), set("workload.mean_interarrival_s", "0.01")});
  const auto runs = run_all({timed, with(timed, {set("workload.warm_up_overwrites", "2")})});
  EXPECT_NEAR(runs[1]["time"]["simulated_s"].get<double>() / runs[0]["time"]["simulated_s"].get<double>(), 1, 0.1);
}

TEST(Array, invariants_hold_between_any_two_requests) {
  const Settings checked = array_study({set("platform.self_check_every", "1"), set("workload.kind", "hot_cold"),
                                        set("ftl.spare_factor", "0.4"), set("part_overrides.content", "bytes"),
                                        set("workload.read_share", "0.2")});
  for (const char* separation : {"none", "oracle", "recency", "future"}) {
    const ordered_json run = run_one_study(with(checked, {set("ftl.separation", separation)}));
    EXPECT_GT(run["firmware"]["cleanings"], 0) << separation;
  }
}

}  // namespace
}  // namespace ftlab::platform
