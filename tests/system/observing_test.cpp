// Logs and samples watch a run: whatever the part, the firmware and the options, they change none of its figures.
#include <gtest/gtest.h>

#include <cstdio>
#include <ostream>

#include "tests/system/run_here.h"
#include "tests/system/settings.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

struct Watched {
  const char* name;
  Settings settings;
  friend void PrintTo(const Watched& watched, std::ostream* out) { *out << watched.name; }
};

Settings watched_array(const Settings& more) {
  return with({set("part", "array-slc"), set("ftl.firmware", "page"), set("host", "ssd-controller"),
               set("part_overrides.channels", "2"), set("part_overrides.dies_per_channel", "1"),
               set("part_overrides.segments", "48"), set("part_overrides.pages_per_segment", "16"),
               set("ftl.spare_factor", "0.4"), set("workload.kind", "uniform"), set("workload.overwrites", "1"),
               set("workload.queue_depth", "8"), set("workload.read_share", "0.2")},
              more);
}
Settings watched_card(const Settings& more) {
  return with({set("part", "series2plus-4mb"), set("ftl.utilization", "0.7"), set("workload.total_mib", "2"),
               set("workload.read_share", "0.2")},
              more);
}
Settings watched_onenand(const Settings& more) {
  return with({set("part", "flexonenand-8gb-ddp"), set("host", "omap2420-400"),
               set("part_overrides.segments_per_die", "16"), set("part_overrides.bad_segments.reserve", "1"),
               set("ftl.utilization", "0.3"), set("workload.total_mib", "2"), set("workload.read_share", "0.2")},
              more);
}

class Observing : public ::testing::TestWithParam<Watched> {};
INSTANTIATE_TEST_SUITE_P(
    Every, Observing,
    ::testing::Values(
        Watched{"array", watched_array({})},
        Watched{"array_two_frontiers",
                watched_array({set("ftl.frontiers", "host_and_cleaning"), set("ftl.separation", "recency")})},
        Watched{"array_suspends",
                watched_array({set("driver.suspend_programs", "true"), set("driver.suspend_erases", "true")})},
        Watched{"array_keeps_bytes", watched_array({set("part_overrides.content", "bytes")})},
        Watched{"array_events", watched_array({set("platform.timing", "event"), set("workload.queue_depth", "3")})},
        Watched{"array_tlc_small_requests",
                watched_array({set("part", "array-tlc"), set("workload.request_bytes", "4096")})},
        Watched{"card_fms", watched_card({})}, Watched{"card_event", watched_card({set("platform.timing", "event")})},
        Watched{"card_page", watched_card({set("ftl.firmware", "page"), set("workload.queue_depth", "4"),
                                           set("workload.total_mib", "1")})},
        Watched{"card_poisson",
                watched_card({set("workload.arrival", "poisson"), set("workload.mean_interarrival_s", "0.02")})},
        Watched{"onenand_flexfs", watched_onenand({set("ftl.firmware", "flexfs")})},
        Watched{"onenand_polled", watched_onenand({set("ftl.firmware", "page"), set("driver.wait", "poll"),
                                                   set("host_overrides.program_poll", "20 us")})},
        Watched{"onenand_page", watched_onenand({set("ftl.firmware", "page"), set("workload.queue_depth", "4")})}),
    [](const auto& watched) { return std::string(watched.param.name); });

/// What a run measured, without the columns that samples add.
std::string without_samples(ordered_json result) {
  for (const char* own : {"timeline", "wear_map"}) result.erase(own);
  return measured(result);
}

TEST_P(Observing, changes_no_figure) {
  const std::string path = ::testing::TempDir() + "ftlab_observing_" + std::to_string(::getpid());
  const std::string ops = path + ".ops";
  const std::string requests = path + ".requests";
  const std::string bus = path + ".bus";
  const Settings& settings = GetParam().settings;
  const Settings sampled = with(settings, {set("platform.sample_s", "0.001")});
  struct Case {
    const char* name;
    const Settings& settings;
    LogFiles logs;
  };
  const std::string alone = without_samples(run_one_study(settings));
  for (const Case& watch : {Case{"operations", settings, {ops, "", ""}}, Case{"requests", settings, {"", requests, ""}},
                            Case{"bus", settings, {"", "", bus}}, Case{"samples", sampled, {}},
                            Case{"all", sampled, {ops, requests, bus}}}) {
    EXPECT_EQ(without_samples(run_one_study(watch.settings, watch.logs)), alone) << watch.name;
  }
  for (const std::string& file : {ops, requests, bus}) std::remove(file.c_str());
}

}  // namespace
}  // namespace ftlab::platform
