// Of each request of a drive it is known what its time was spent on: the parts add up, and to follow them changes
// nothing.
#include <cstdio>

#include "tests/system/array_study.h"
#include "tests/system/csv_rows.h"
#include "tests/system/run_here.h"

namespace ftlab::platform {
namespace {

constexpr const char* kNames[] = {"queue", "link",    "firmware", "slot",     "die", "channel",
                                  "cells", "retries", "decoding", "transfer", "back"};

const Setting kFollowed = set("platform.latency_parts", "true");

Settings drive(const Settings& more) {
  return with({set("part", "ssd-zn540-class"), set("ftl.page_bytes", "4096"), set("ftl.spare_factor", "0.3"),
               set("part_overrides.segments", "1024"), set("part_overrides.pages_per_segment", "48"),
               set("workload.kind", "uniform"), set("workload.read_share", "0.6"), set("workload.queue_depth", "64"),
               set("workload.total_mib", "12")},
              more);
}

struct Followed {
  const char* name;
  Settings settings;
  friend void PrintTo(const Followed& followed, std::ostream* out) { *out << followed.name; }
};

class LatencyPartsOf : public ::testing::TestWithParam<Followed> {};
INSTANTIATE_TEST_SUITE_P(
    Every, LatencyPartsOf,
    ::testing::Values(
        Followed{"array", array_study({set("workload.read_share", "0.3")})},
        Followed{"one_request_at_a_time",
                 array_study({set("workload.read_share", "0.5"), set("workload.queue_depth", "1")})},
        Followed{"suspending", array_study({set("workload.read_share", "0.5"), set("driver.suspend_programs", "true"),
                                            set("driver.suspend_erases", "true")})},
        Followed{"gathering", array_study({set("workload.read_share", "0.5"), set("driver.gather", "6")})},
        Followed{"parts_of_pages",
                 array_study({set("part", "array-mlc"), set("workload.request_bytes", "2048"),
                              set("workload.read_share", "0.3"), set("part_overrides.content", "bytes"),
                              set("part_overrides.controller.buffer_slots", "32")})},
        Followed{"many_pages",
                 array_study({set("workload.request_bytes", "16384"), set("workload.read_share", "0.5")})},
        Followed{"read_retry", array_study({set("part", "array-tlc-72l"), set("workload.read_share", "0.5"),
                                            set("age.cycles", "3000"), set("age.days", "90")})},
        Followed{"events", array_study({set("workload.read_share", "0.5"), set("platform.timing", "event"),
                                        set("workload.queue_depth", "4")})},
        Followed{"arrivals", array_study({set("workload.read_share", "0.5"), set("workload.arrival", "poisson"),
                                          set("workload.mean_interarrival_s", "0.0001")})},
        Followed{"drive", drive({})}, Followed{"drive_writing_through", drive({set("ftl.write_buffer", "0")})},
        Followed{"drive_of_little_data_ram", drive({set("ftl.write_buffer", "20")})},
        Followed{"drive_alone", drive({set("workload.queue_depth", "1")})},
        Followed{"drive_of_large_requests", drive({set("workload.request_bytes", "131072")})},
        Followed{"drive_that_cleans", drive({set("workload.overwrites", "2"), set("workload.read_share", "0.2")})},
        Followed{
            "losing_power",
            array_study({set("part_overrides.content", "bytes"), set("part_overrides.controller.buffer_slots", "64"),
                         set("workload.read_share", "0.3"), set("power.loss_at_request", "[100, 700]")})},
        Followed{"drive_losing_power",
                 drive({set("part_overrides.content", "bytes"), set("part_overrides.controller.buffer_slots", "512"),
                        set("power.loss_at_request", "[1000]")})}),
    [](const auto& followed) { return std::string(followed.param.name); });

/// What a run measured, without what follows from following.
std::string without_parts(nlohmann::ordered_json result) {
  for (const char* kind : {"read", "write"}) {
    result["latency"][kind].erase("parts_s");
    result["latency"][kind].erase("parts_by_percentile");
  }
  return measured(std::move(result));
}

TEST_P(LatencyPartsOf, requests_add_up_to_their_latencies_and_change_nothing) {
  const std::string log = ::testing::TempDir() + "ftlab_parts_" + std::to_string(::getpid()) + ".csv";
  const auto result = run_one_study(with(GetParam().settings, {kFollowed}), {"", log, ""});
  const std::vector<CsvRow> rows = csv_rows(log);
  std::remove(log.c_str());
  ASSERT_EQ(rows.size(), result["host"]["requests"].get<std::size_t>());
  for (const CsvRow& row : rows) {
    double sum = 0;
    for (const char* part : kNames) {
      const double time = number(row, std::string(part) + "_s");
      ASSERT_GE(time, 0) << part;
      sum += time;
    }
    ASSERT_NEAR(sum, number(row, "end_s") - number(row, "arrival_s"), 1e-9);
  }
  for (const char* kind : {"read", "write"}) {
    const auto& latency = result["latency"][kind];
    const double mean = latency["mean_s"];
    EXPECT_NEAR(sum_of(latency["parts_s"]), mean, 1e-9 * mean) << kind;
    const auto of = [&](const char* band) { return sum_of(latency["parts_by_percentile"][band]); };
    EXPECT_NEAR(of("p50") / latency["p50_s"].get<double>(), 1, 0.3) << kind;
    for (const auto& [lower, higher] :
         {std::pair{"p50", "p90"}, std::pair{"p90", "p99"}, std::pair{"p99", "p999"}, std::pair{"p999", "max"}})
      EXPECT_LE(of(lower), of(higher) * (1 + 1e-9)) << kind << lower;
    EXPECT_NEAR(of("max"), latency["max_s"].get<double>(), 1e-9) << kind;
    if (result["config"]["ftl"]["write_buffer"] == 0 || kind == std::string_view("read")) {
      EXPECT_GT(latency["parts_s"]["cells"].get<double>(), 0) << kind;
    }
  }
  EXPECT_EQ(without_parts(result),
            without_parts(run_one_study(with(GetParam().settings, {set("platform.latency_parts", "false")}))));
}

TEST(LatencyParts, of_a_lone_read_are_the_times_of_link_firmware_and_part) {
  const auto result = run_one_study(drive({set("workload.read_share", "1"), set("workload.request_bytes", "4096"),
                                           set("workload.queue_depth", "1"), set("workload.total_mib", "1")}));
  const auto& parts = result["latency"]["read"]["parts_s"];
  const auto us = [&](const char* part) { return 1e6 * parts[part].get<double>(); };
  EXPECT_EQ(us("queue"), 0);
  EXPECT_EQ(us("die"), 0);
  EXPECT_EQ(us("channel"), 0);
  EXPECT_NEAR(us("cells"), 50, 1e-9) << "a part of a page";
  EXPECT_EQ(us("slot"), 0);
  // Data in 16 packets of 256 and 24 bytes and a completion, at 0.3125 ns a byte, and the latency.
  EXPECT_NEAR(us("back"), 0.5 + ((16 + 24) + (4096 + 16 * 24)) * 0.3125e-3, 1e-3);
  EXPECT_NEAR(us("link"), 0.5 + (64 + 24) * 0.3125e-3, 1e-3);
}

TEST(LatencyParts, are_no_figures_where_nobody_names_pages) {
  for (const Settings& other : {Settings{set("part", "series2plus-4mb"), set("workload.total_mib", "1")},
                                array_study({set("workload.overwrites", "0.2")})}) {
    const auto result = run_one_study(other);
    EXPECT_FALSE(result["latency"]["write"].contains("parts_s"));
  }
}

}  // namespace
}  // namespace ftlab::platform
