// Requests in flight through host, firmware, driver and part.
#include <gtest/gtest.h>

#include "tests/system/run_here.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

std::vector<Setting> study_at(unsigned depth, std::vector<Setting> more) {
  std::vector<Setting> settings{{"host", "omap2420-400", "test"},
                                {"part", "flexonenand-8gb-ddp", "test"},
                                {"part_overrides.segments_per_die", "64", "test"},
                                {"ftl.utilization", "0.3", "test"},
                                {"workload.kind", "uniform", "test"},
                                {"workload.total_mib", "8", "test"},
                                {"workload.fill", "false", "test"},
                                {"workload.queue_depth", std::to_string(depth), "test"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

TEST(QueueDepth, pages_on_two_dies_overlap_and_every_request_completes) {
  const std::vector<Setting> page{{"ftl.firmware", "page", "test"}};
  const auto runs = run_all({study_at(1, page), study_at(2, page), study_at(8, page), study_at(64, page)});
  for (const ordered_json& run : runs) {
    EXPECT_EQ(run["host"]["requests"], 2048);
    EXPECT_EQ(run["host"]["failed_requests"], 0);
    EXPECT_EQ(run["host"]["wrong_reads"], 0);
  }
  EXPECT_EQ(runs[0]["host"]["max_in_flight"], 1);
  EXPECT_EQ(runs[1]["host"]["max_in_flight"], 2);
  EXPECT_GT(write_speed(runs[1]), 1.4 * write_speed(runs[0]));
  EXPECT_GE(write_speed(runs[3]), write_speed(runs[1]));
  for (const ordered_json& run : runs) EXPECT_EQ(run["flash"]["programs"], 2048);
}

TEST(QueueDepth, the_flash_memory_server_serves_several_at_a_time_on_parts_as_on_arrays) {
  const std::vector<Setting> fms{{"ftl.firmware", "fms", "test"}};
  const auto runs = run_all({study_at(1, fms), study_at(8, fms)});
  EXPECT_EQ(runs[0]["host"]["max_in_flight"], 1);
  EXPECT_EQ(runs[1]["host"]["max_in_flight"], 8);
  EXPECT_GT(write_speed(runs[1]), 1.4 * write_speed(runs[0]));
}

TEST(QueueDepth, reads_and_writes_of_the_same_pages_keep_their_order) {
  const auto runs = run_all({study_at(1, {{"ftl.firmware", "page", "test"}, {"workload.read_share", "0.5", "test"}}),
                             study_at(16, {{"ftl.firmware", "page", "test"}, {"workload.read_share", "0.5", "test"}})});
  EXPECT_EQ(runs[1]["host"]["wrong_reads"], 0);
  EXPECT_EQ(runs[1]["host"]["failed_requests"], 0);
  EXPECT_LT(runs[1]["time"]["simulated_s"].get<double>(), runs[0]["time"]["simulated_s"].get<double>());
}

TEST(QueueDepth, requests_that_arrive_at_their_time_overlap_when_they_come_close) {
  const std::vector<Setting> open{{"ftl.firmware", "page", "test"},
                                  {"workload.arrival", "poisson", "test"},
                                  {"workload.mean_interarrival_s", "0.002", "test"}};
  const auto runs = run_all({study_at(1, open), study_at(4, open)});
  EXPECT_GT(runs[1]["host"]["max_in_flight"], 1);
  EXPECT_LT(runs[1]["latency"]["write"]["mean_s"].get<double>(), runs[0]["latency"]["write"]["mean_s"].get<double>());
}

TEST(QueueDepth, a_firmware_that_serves_one_at_a_time_gives_the_same_figures_at_any_depth) {
  for (const char* firmware : {"in_place", "flexfs"}) {
    const std::vector<Setting> served_by{{"ftl.firmware", firmware, "test"}};
    auto runs = run_all({study_at(1, served_by), study_at(64, served_by)});
    for (ordered_json& run : runs) {
      EXPECT_GT(run["host"]["requests"], 0) << firmware;
      for (const char* own : {"run", "config", "summary", "latency"}) run.erase(own);
      for (const char* of_queue : {"max_in_flight", "mean_depth"}) run["host"].erase(of_queue);
    }
    EXPECT_EQ(runs[0].dump(), runs[1].dump()) << firmware;
  }
}

}  // namespace
}  // namespace ftlab::platform
