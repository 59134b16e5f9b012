// Whole runs through card, bus, driver and FMS: what must agree with what.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "common/input_error.h"
#include "common/units.h"
#include "firmware/policy/policies.h"
#include "tests/system/run_here.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

TEST(Study, same_seed_gives_the_same_result_byte_for_byte) {
  const auto runs = run_all({small_study(), small_study()});
  EXPECT_EQ(without_run(runs[0]), without_run(runs[1]));
}

TEST(Study, another_seed_gives_another_result) {
  const auto runs = run_all({small_study({{"seed", "1"}}), small_study({{"seed", "2"}})});
  EXPECT_NE(runs[0]["flash"]["pages_copied"], runs[1]["flash"]["pages_copied"]);
}

TEST(Study, scenario_keeps_its_times_and_its_callers_wait) {
  const std::vector<Setting> settings = {{"workload.kind", "scenario"},
                                         {"workload.scenario", "flexfs-busy"},
                                         {"workload.arrival", "trace"},
                                         {"workload.fill", "false"},
                                         {"scenario_overrides.bursts.capacity", "2 MiB"},
                                         {"scenario_overrides.bursts.burst", "256 KiB"},
                                         {"scenario_overrides.bursts.period", "30 s"}};
  const ordered_json timed = run_one_study(small_study(settings));
  const double elapsed = timed["time"]["simulated_s"];
  EXPECT_GT(elapsed, 7 * 30) << "1.9 MiB are eight bursts";
  EXPECT_LT(elapsed, 8 * 30);
  EXPECT_LT(timed["latency"]["write"]["max_s"].get<double>(), 0.1) << "no request queues behind its own burst";
  std::vector<Setting> closed = settings;
  closed[2].text = "closed";
  const ordered_json at_once = run_one_study(small_study(closed));
  EXPECT_EQ(at_once["flash"]["programs"], timed["flash"]["programs"]);
  EXPECT_LT(at_once["time"]["simulated_s"].get<double>(), 30);
}

TEST(Study, loose_and_event_timing_agree_in_counts_time_and_energy) {
  (void)run_in_both_styles({small_study({{"driver.wait", "interrupt"}}), small_study({{"driver.wait", "poll"}})});
}

TEST(Study, the_quantum_changes_nothing) {
  const auto runs =
      run_all({small_study({{"platform.quantum_us", "0"}}), small_study({{"platform.quantum_us", "1e7"}})});
  EXPECT_EQ(measured(runs[0]), measured(runs[1]));
}

TEST(Study, content_storage_changes_no_count_time_or_energy) {
  for (const char* firmware : {"fms", "page"}) {
    for (const char* request : {"4096", "512"}) {
      SCOPED_TRACE(testing::Message() << firmware << " " << request);
      const auto with = [&](const char* content) {
        return small_study({{"ftl.firmware", firmware},
                            {"workload.request_bytes", request},
                            {"workload.read_share", "0.3"},
                            {"workload.total_mib", "3"},
                            {"platform.store_content", content}});
      };
      auto runs = run_all({with("true"), with("false")});
      EXPECT_EQ(runs[0]["host"]["wrong_reads"], 0);
      runs[0]["host"]["wrong_reads"] = nullptr;
      EXPECT_GT(runs[0]["flash"]["pages_copied"], 0);
      EXPECT_EQ(runs[0]["host"]["failed_requests"], 0);
      for (const char* figures : {"host", "flash", "time", "energy", "latency"})
        EXPECT_EQ(runs[0][figures], runs[1][figures]) << figures;
    }
  }
}

TEST(Study, sums_over_causes_operations_and_states_balance) {
  const auto run = run_one_study(small_study({{"workload.read_share", "0.3"}}));
  EXPECT_NEAR(sum_of(run["time"]["by_cause_s"]) / run["time"]["simulated_s"].get<double>(), 1, 1e-9);
  const auto& energy = run["energy"];
  EXPECT_NEAR(sum_of(energy["by_state_j"]) / energy["total_j"].get<double>(), 1, 1e-9);
  EXPECT_NEAR(sum_of(energy["by_cause_j"]) / energy["by_state_j"]["active"].get<double>(), 1, 1e-9);
  EXPECT_NEAR(sum_of(energy["by_operation_j"]) / energy["by_state_j"]["active"].get<double>(), 1, 1e-9);
}

TEST(Study, the_operation_log_adds_up_to_the_result) {
  const std::string path = ::testing::TempDir() + "ops.csv";
  const auto run = run_one_study(small_study(), {.ops = path});
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "start_s,device,kind,address,bytes,cause,busy_s,energy_j,failed,phase");
  double erase_energy = 0;
  std::uint64_t erases = 0;
  std::uint64_t programs = 0;
  std::vector<std::string> phases;
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::stringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 10U) << line;
    if (phases.empty() || phases.back() != cells[9]) phases.push_back(cells[9]);
    if (cells[9] != "measure") continue;
    if (cells[2] == "erase") {
      ++erases;
      erase_energy += std::stod(cells[7]);
    }
    programs += cells[2] == "word_program" || cells[2] == "buffer_program" ? 1 : 0;
  }
  EXPECT_EQ(phases, (std::vector<std::string>{"attach", "format", "fill", "measure"}));
  EXPECT_EQ(erases, run["flash"]["erases"]);
  EXPECT_EQ(programs, run["flash"]["programs"]);
  EXPECT_NEAR(erase_energy, run["energy"]["by_operation_j"]["erase"].get<double>(), 1e-6);
  std::remove(path.c_str());
}

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Study, failed_run_leaves_an_older_operation_log_as_it_was) {
  const std::string path = ::testing::TempDir() + "ops3.csv";
  std::ofstream(path) << "old";
  EXPECT_THROW(run_one_study(small_study({{"ftl.page_bytes", "256"}, {"ftl.utilization", "0.99"}}), {.ops = path}),
               InputError);
  EXPECT_EQ(content_of(path), "old");
  const auto run = run_one_study(small_study(), {.ops = path});
  EXPECT_TRUE(content_of(path).starts_with("start_s,"));
  std::remove(path.c_str());
}

TEST(Study, run_that_ends_at_the_end_of_life_says_so) {
  const ordered_json whole = run_one_study(small_study());
  EXPECT_EQ(whole["host"]["ended_early"], false);
  EXPECT_TRUE(whole["host"]["end_reason"].is_null());
  EXPECT_TRUE(whole["host"]["bytes_written_to_first_loss"].is_null());
  const ordered_json worn = run_one_study(small_study({{"workload.total_mib", "100"},
                                                       {"part_overrides.endurance.rated_cycles", "3"},
                                                       {"part_overrides.endurance.median_ratio", "1.5"}}));
  EXPECT_EQ(worn["host"]["ended_early"], true);
  EXPECT_NE(worn["host"]["end_reason"].get<std::string>().find("worn out"), std::string::npos);
  EXPECT_LT(worn["host"]["bytes_written"].get<double>(), 100.0 * kMiB);
  EXPECT_GT(worn["host"]["bytes_written"].get<double>(), 0);
}

TEST(Study, first_segment_is_lost_where_a_shorter_run_has_lost_none) {
  const auto worn = [](double written) {
    return run_one_study(small_study({{"workload.total_mib", std::to_string(written / kMiB)},
                                      {"part_overrides.endurance.rated_cycles", "20"},
                                      {"part_overrides.endurance.median_ratio", "1.25"}}));
  };
  constexpr double page = 4096;
  const ordered_json whole = worn(100.0 * kMiB);
  const double lost = whole["host"]["bytes_written_to_first_loss"];
  EXPECT_LT(lost, whole["host"]["bytes_written"].get<double>());
  // The erase that fails comes with the request behind the last write that needs it, a flush, too.
  const ordered_json before = worn(lost - 2 * page);
  EXPECT_EQ(before["firmware"]["bad_segments"], 0);
  EXPECT_TRUE(before["host"]["bytes_written_to_first_loss"].is_null());
  const ordered_json with_it = worn(lost);
  EXPECT_EQ(with_it["firmware"]["bad_segments"], 1);
  EXPECT_EQ(with_it["host"]["bytes_written_to_first_loss"].get<double>(), lost);
  EXPECT_EQ(before["firmware"]["segments_retired"], 0);
  EXPECT_EQ(with_it["firmware"]["segments_retired"], 1);
  const auto failures = [](const ordered_json& run) {
    return run["flash"]["failed_programs"].get<int>() + run["flash"]["failed_erases"].get<int>();
  };
  EXPECT_EQ(failures(before), 0);
  EXPECT_GT(failures(with_it), 0);
  EXPECT_GT(with_it["wear"]["beyond_rated"].get<int>(), 0);
  const ordered_json& endurance = with_it["endurance"];
  const double logical = with_it["device"]["logical_bytes"];
  EXPECT_DOUBLE_EQ(endurance["drive_writes_to_first_loss"].get<double>(), lost / logical);
  EXPECT_FALSE(before["endurance"].contains("drive_writes_to_first_loss"));
  const double rated = 20 * with_it["device"]["segments"].get<double>();
  const double erased = with_it["flash"]["erases"].get<double>() + with_it["firmware"]["log_erases"].get<double>();
  EXPECT_NEAR(endurance["bytes_at_rated"].get<double>(), lost * rated / erased, 0.05 * lost);
  EXPECT_DOUBLE_EQ(endurance["drive_writes_per_day"].get<double>() * 1825 * logical,
                   endurance["bytes_at_rated"].get<double>());
}

TEST(Study, initial_data_that_the_medium_does_not_take_is_a_result_without_a_measurement) {
  const ordered_json run = run_one_study({{"part", "flexonenand-4gb"},
                                          {"host", "omap2420-400"},
                                          {"ftl.firmware", "flexfs"},
                                          {"part_overrides.segments_per_die", "64"},
                                          {"ftl.utilization", "0.9"},
                                          {"workload.total_mib", "1"},
                                          {"part_overrides.endurance.rated_cycles", "1"},
                                          {"part_overrides.endurance.rated_slc", "1"},
                                          {"part_overrides.endurance.median_ratio", "1.0001"},
                                          {"part_overrides.endurance.spread", "0.01"}});
  EXPECT_EQ(run["host"]["ended_early"], true);
  EXPECT_EQ(run["host"]["end_reason"].get<std::string>().rfind("the initial fill failed after ", 0), 0U);
  EXPECT_EQ(run["host"]["requests"], 0);
}

TEST(Study, workload_from_which_nothing_is_measured_is_refused) {
  const std::string path = ::testing::TempDir() + "empty.spc";
  std::ofstream(path) << "0,7,0,w,0\n0,15,0,w,0.5\n";
  const std::string text = refusal(small_study({{"workload.kind", "trace"}, {"workload.path", path}}));
  EXPECT_TRUE(text.starts_with(path + ": no request of this trace takes part")) << text;
  std::remove(path.c_str());
}

TEST(Study, what_a_workload_refuses_of_a_key_begins_with_its_place) {
  const auto says = [](const std::vector<Setting>& settings, const char* text) {
    EXPECT_EQ(refusal(small_study(settings)).rfind(text, 0), 0U) << text;
  };
  says({{"workload.hot_data", "0.001"}, {"ftl.utilization", "0.2"}}, "--set: workload.hot_data: 0.001 of ");
  says(
      {{"workload.kind", "classes"}, {"workload.class_access", "[0.5, 0.5]"}, {"workload.class_data", "[0.0001, 0.9]"}},
      "--set: workload.class_data: class 1 of ");
  says({{"workload.read_share", "1"}, {"workload.warm_up_overwrites", "1"}},
       "--set: workload.read_share: 1 writes nothing");
}

TEST(Study, warm_up_that_takes_the_whole_trace_is_refused_by_its_own_key) {
  const std::string path = ::testing::TempDir() + "short.spc";
  std::ofstream(path) << "0,0,4096,w,0\n0,8,4096,w,1\n";
  const auto study = [&](const std::string& warm_up) {
    return small_study({{"workload.kind", "trace"},
                        {"workload.path", path},
                        {"workload.warm_up_overwrites", warm_up},
                        {"workload.repeat", "2"}});
  };
  EXPECT_EQ(refusal(study("1")),
            "--set: workload.warm_up_overwrites: 1 times the logical size take all 4 requests of " + path +
                ", so nothing was measured; lower it, or replay the trace more often (workload.repeat)");
  EXPECT_GT(run_one_study(study("0.001"))["host"]["requests"], 0);
  std::remove(path.c_str());
}

TEST(Study, trace_too_large_for_the_device_says_what_would_hold_it_and_fit_replays_it) {
  const std::string path = ::testing::TempDir() + "large.spc";
  std::ofstream trace(path);
  for (int i = 0; i < 790; ++i) trace << "0," << i * 8 << ",4096,w," << i << "\n";
  trace.close();
  const auto study = [&](const std::string& more, const std::string& value) {
    return small_study({{"workload.kind", "trace"}, {"workload.path", path}, {more, value}});
  };
  const std::string offered = std::to_string(run_one_study(small_study())["device"]["logical_bytes"].get<int>() / 4096);
  const std::string text = refusal(study("seed", "1"));
  EXPECT_EQ(text.rfind(path + ": touches 790 pages of 4096 bytes, and the device has " + offered + "; ", 0), 0U)
      << text;
  const std::string way = "; all of it fits with ftl.utilization = ";
  ASSERT_NE(text.find(way), std::string::npos) << text;
  const auto all = run_one_study(study("ftl.utilization", text.substr(text.find(way) + way.size(), 4)));
  EXPECT_EQ(all["host"]["pages_written"], 790);
  const ordered_json fitted = run_one_study(study("workload.write_scale", "fit"));
  EXPECT_LE(fitted["host"]["pages_written"].get<int>(), std::stoi(offered));
  EXPECT_GE(fitted["host"]["pages_written"].get<int>(), std::stoi(offered) - 2);
  EXPECT_LT(fitted["config"]["workload"]["write_scale"].get<double>(), 1);
  std::remove(path.c_str());
}

TEST(Study, logging_changes_no_result) {
  const std::string path = ::testing::TempDir() + "log2.csv.gz";
  const std::string plain = without_run(run_one_study(small_study()));
  for (const LogFiles& one : {LogFiles{.ops = path}, LogFiles{.requests = path}, LogFiles{.bus = path}}) {
    EXPECT_EQ(without_run(run_one_study(small_study(), one)), plain);
  }
  const LogFiles all{path, path + "2", path + "3"};
  EXPECT_EQ(without_run(run_one_study(small_study(), all)), plain);
  for (const std::string* file : {&all.ops, &all.requests, &all.bus}) std::remove(file->c_str());
}

/// The card and the load of the FMS papers at 90/10.
std::vector<Setting> paper_study(std::vector<Setting> more) {
  std::vector<Setting> settings{{"part", "series2plus-24mb"}, {"platform.store_content", "false"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

TEST(Study, choices_that_the_papers_leave_open_change_the_erasures) {
  const std::vector<Setting> greedy{{"ftl.selection", "greedy"}, {"ftl.redistribution", "sequential"}};
  const auto with = [](std::vector<Setting> settings, const char* key, const char* value) {
    settings.push_back({key, value});
    return paper_study(settings);
  };
  const auto runs = run_all({paper_study(greedy), with(greedy, "workload.hot_place", "contiguous"), paper_study({}),
                             with({}, "ftl.hot_mean", "victim_pages"), with({}, "ftl.age_exponent", "0.5"),
                             with(greedy, "ftl.ties", "least_erased")});
  const auto erasures = [&runs](std::size_t i) { return runs[i]["flash"]["erases"].get<double>(); };
  EXPECT_NEAR(erasures(0), 8816, 60);
  EXPECT_NEAR(erasures(1), 8335, 60);
  EXPECT_NEAR(erasures(2), 4064, 60);
  EXPECT_NEAR(erasures(3), 5280, 60);
  EXPECT_LT(erasures(4), 0.97 * erasures(2));
  EXPECT_LT(runs[5]["wear"]["stddev"].get<double>(), 0.5 * runs[0]["wear"]["stddev"].get<double>());
}

TEST(Study, lower_voltage_is_slower_and_overlap_is_not) {
  const auto runs = run_all({small_study(), small_study({{"voltage", "3.3V"}}),
                             small_study({{"ftl.erase", "overlap"}, {"part", "series2plus-8mb"}}),
                             small_study({{"part", "series2plus-8mb"}})});
  const auto time = [](const ordered_json& run) { return run["time"]["simulated_s"].get<double>(); };
  EXPECT_GT(time(runs[1]), time(runs[0]));
  EXPECT_EQ(runs[1]["flash"]["erases"], runs[0]["flash"]["erases"]);
  EXPECT_LT(time(runs[2]), time(runs[3])) << "erasing on one pair while the other works must save time";
}

TEST(Study, cleaning_in_idle_time_has_its_energy_and_its_time) {
  const auto run = run_one_study(small_study({{"workload.idle_every", "50"},
                                              {"workload.idle_s", "10"},
                                              {"ftl.idle_cleaning", "true"},
                                              {"ftl.idle_water", "4"}}));
  EXPECT_GT(run["time"]["by_cause_s"]["clean"].get<double>(), 0);
  EXPECT_GT(run["energy"]["by_cause_j"]["clean"].get<double>(), 0);
  EXPECT_EQ(run["energy"]["by_cause_j"].value("idle", 0.0), 0);
}

TEST(Study, page_checksums_cost_processor_time_and_nothing_else) {
  const auto runs = run_all({small_study(), small_study({{"ftl.data_checksum", "true"}})});
  EXPECT_EQ(runs[1]["flash"]["erases"], runs[0]["flash"]["erases"]);
  EXPECT_EQ(runs[1]["flash"]["pages_copied"], runs[0]["flash"]["pages_copied"]);
  const auto time = [](const ordered_json& run) { return run["time"]["simulated_s"].get<double>(); };
  EXPECT_GT(time(runs[1]), time(runs[0]));
  EXPECT_LT(time(runs[1]), time(runs[0]) * 1.05);
}

TEST(Study, open_loop_requests_queue_and_idle_time_is_idle) {
  const auto run = run_one_study(small_study({{"workload.arrival", "poisson"},
                                              {"workload.mean_interarrival_s", "0.2"},
                                              {"ftl.idle_cleaning", "true"},
                                              {"ftl.idle_min_s", "0.01"}}));
  EXPECT_GT(run["time"]["by_cause_s"]["idle"].get<double>(), 0);
  EXPECT_NEAR(run["time"]["simulated_s"].get<double>(), 1536 * 0.2, 1536 * 0.2 * 0.15);
  EXPECT_GT(run["latency"]["write"]["max_s"].get<double>(), run["latency"]["write"]["p50_s"].get<double>());
}

}  // namespace
}  // namespace ftlab::platform
