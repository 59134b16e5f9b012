// Whole runs of FlexFS through the Flex-OneNAND, its bus and driver: what must agree with what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "common/units.h"
#include "tests/system/run_here.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

/// 64 segments of Flex-OneNAND, bursts with pauses long enough to migrate, a quarter of the data rewritten.
std::vector<Setting> flexfs_study(std::vector<Setting> more = {}) {
  std::vector<Setting> settings{{"part", "flexonenand-4gb", "test"},
                                {"part_profile", "flexfs-calibrated", "test"},
                                {"host", "omap2420-400", "test"},
                                {"ftl.firmware", "flexfs", "test"},
                                {"flexfs.scheme", "la", "test"},
                                {"flexfs.partition_mib", "8", "test"},
                                {"workload.kind", "scenario", "test"},
                                {"workload.scenario", "flexfs-locality", "test"},
                                {"scenario_overrides.bursts.capacity", "8 MiB", "test"},
                                {"scenario_overrides.bursts.used", "70 %", "test"},
                                {"scenario_overrides.bursts.burst", "1 MiB", "test"},
                                {"scenario_overrides.bursts.rewritten", "256 KiB", "test"},
                                {"scenario_overrides.bursts.file", "256 KiB", "test"},
                                {"scenario_overrides.bursts.period", "6 s", "test"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

TEST(FlexFsStudy, loose_and_event_timing_agree_in_counts_time_and_energy) {
  const auto runs = run_in_both_styles({flexfs_study()});
  EXPECT_GT(runs[0]["firmware"]["figures"]["background_pages"].get<double>(), 500) << "data must migrate";
}

TEST(FlexFsStudy, no_figure_depends_on_what_pages_hold) {
  // Experiments leave content out where they vary values.
  auto runs = run_all({flexfs_study(), flexfs_study({{"platform.store_content", "false"}})});
  EXPECT_EQ(runs[0]["host"]["wrong_reads"], 0);
  for (ordered_json& run : runs) run["host"].erase("wrong_reads");  // nothing to compare with
  EXPECT_EQ(measured(runs[0]), measured(runs[1]));
}

TEST(FlexFsStudy, energies_and_times_balance) {
  const ordered_json run = run_one_study(flexfs_study());
  const ordered_json& energy = run["energy"];
  const double active = energy["by_state_j"]["active"];
  EXPECT_GT(active, 0);
  EXPECT_NEAR(sum_of(energy["by_operation_j"]), active, 1e-6 * active);
  EXPECT_NEAR(sum_of(energy["by_cause_j"]), active, 1e-6 * active);
  EXPECT_NEAR(sum_of(energy["by_state_j"]), energy["total_j"].get<double>(), 1e-6 * active);
  EXPECT_GT(energy["by_cause_j"]["migrate"].get<double>(), 0);
  const double simulated = run["time"]["simulated_s"];
  EXPECT_NEAR(sum_of(run["time"]["by_cause_s"]), simulated, 1e-6 * simulated);
}

TEST(FlexFsStudy, migration_shortens_the_low_power_time) {
  const auto runs = run_all({flexfs_study(), flexfs_study({{"flexfs.scheme", "mlc_only"}}),
                             flexfs_study({{"flexfs.scheme", "mlc_only"}, {"power.low_power_after_ms", "1000"}})});
  const auto share = [](const ordered_json& run) {
    return run["time"]["low_power_s"].get<double>() / run["time"]["simulated_s"].get<double>();
  };
  EXPECT_GT(share(runs[1]), 0.6) << "bursts of 0.5 s every 6 s";
  EXPECT_LT(share(runs[1]), 1);
  EXPECT_LT(share(runs[0]), share(runs[1]) - 0.1);
  EXPECT_LT(share(runs[2]), share(runs[1]) - 0.1) << "a second of each pause passes before the low-power state";
}

TEST(FlexFsStudy, writes_after_a_pause_are_distinguished) {
  const std::vector<Setting> probes{
      {"workload.scenario", "flexfs-response", "test"},      {"flexfs.scheme", "baseline", "test"},
      {"scenario_overrides.probes.rounds", "3", "test"},     {"scenario_overrides.probes.bulk", "512 KiB", "test"},
      {"scenario_overrides.probes.file", "256 KiB", "test"}, {"scenario_overrides.probes.metadata", "0 B", "test"}};
  std::vector<Setting> settings = flexfs_study();
  std::erase_if(settings, [](const Setting& s) {
    return s.key.starts_with("scenario_overrides.") || s.key == "workload.scenario" || s.key == "flexfs.scheme";
  });
  settings.insert(settings.end(), probes.begin(), probes.end());
  const ordered_json run = run_one_study(settings);
  const ordered_json& after = run["latency"]["after_pause"];
  EXPECT_EQ(after["count"], 30) << "three rounds of ten; the bulk data follows a pause, too, but its flush ends it";
  EXPECT_EQ(run["latency"]["write"]["count"], 3 * (128 + 10));
  EXPECT_EQ(after["percentiles_s"].size(), 100U);
  EXPECT_EQ(after["percentiles_s"].back(), after["max_s"]);
  EXPECT_FALSE(run_one_study(small_study())["latency"].contains("after_pause"));
}

TEST(FlexFsStudy, segments_outside_of_the_partition_do_not_count_as_data_segments) {
  const ordered_json run = run_one_study(flexfs_study());
  EXPECT_EQ(run["wear"]["data_segments"]["count"], 16 + 2) << "8 MiB of segments of 512 KiB, and two for checkpoints";
  EXPECT_GT(run["wear"]["data_segments"]["mean"].get<double>(), run["wear"]["mean"].get<double>());
}

TEST(FlexFsStudy, an_energy_budget_is_kept_and_costs_throughput) {
  // Nothing is rewritten: cleaning, which the prediction does not foresee, has nothing to do.
  std::vector<Setting> dynamic = flexfs_study({{"flexfs.scheme", "da"},
                                               {"flexfs.partition_mib", "24"},
                                               {"scenario_overrides.bursts.capacity", "24 MiB"},
                                               {"scenario_overrides.bursts.period", "30 s"}});
  std::erase_if(dynamic, [](const Setting& s) { return s.key == "scenario_overrides.bursts.rewritten"; });
  for (Setting& setting : dynamic) {
    if (setting.key == "workload.scenario") setting.text = "flexfs-busy";
  }
  const auto mj_per_mib = [](const ordered_json& run) {
    return 1e3 * run["energy"]["by_state_j"]["active"].get<double>() /
           (run["host"]["bytes_written"].get<double>() / static_cast<double>(kMiB));
  };
  const ordered_json free = run_one_study(dynamic);
  const double budget = 0.85 * mj_per_mib(free);
  std::vector<Setting> limited = dynamic;
  limited.push_back({"flexfs.energy_budget_mj_per_mib", std::to_string(budget)});
  const ordered_json kept = run_one_study(limited);
  EXPECT_LE(mj_per_mib(kept), budget);
  EXPECT_GT(mj_per_mib(kept), 0.9 * budget) << "what is allowed is used";
  EXPECT_GT(kept["host"]["write_service_s"].get<double>(), free["host"]["write_service_s"].get<double>());
}

TEST(FlexFsStudy, an_array_is_one_die_that_keeps_data_in_cells_of_several_bits) {
  const auto on_array = [](const char* part, std::vector<Setting> more) {
    std::vector<Setting> settings{{"part", part, "test"}, {"ftl.firmware", "flexfs", "test"}};
    settings.insert(settings.end(), more.begin(), more.end());
    return refusal(settings);
  };
  std::vector<Setting> one_die{{"part_overrides.channels", "1", "test"},
                               {"part_overrides.dies_per_channel", "1", "test"},
                               {"part_overrides.segments", "32", "test"}};
  EXPECT_THAT(on_array("array-mlc", {}), testing::HasSubstr("works on one die, and this array has 32"));
  EXPECT_THAT(on_array("array-mlc", one_die), testing::HasSubstr("set part_overrides.content to \"bytes\""));
  one_die.push_back({"part_overrides.content", "bytes", "test"});
  EXPECT_THAT(on_array("array-slc", one_die), testing::HasSubstr("whose pages share cells"));
}

}  // namespace
}  // namespace ftlab::platform
