// Latency counts from the arrival of a request in the host's queue, whatever serves it and however it arrives: what a
// run says of latency, wait and depth follows from its request log, and the log from the rule of the loop.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ostream>

#include "tests/system/csv_rows.h"
#include "tests/system/run_here.h"
#include "tests/system/settings.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

struct Served {
  const char* name;
  Settings by;
  friend void PrintTo(const Served& served, std::ostream* out) { *out << served.name; }
};

Settings card(const char* firmware) {
  return {set("part", "series2plus-4mb"), set("ftl.firmware", firmware), set("ftl.utilization", "0.7"),
          set("workload.total_mib", "2")};
}
Settings onenand(const char* firmware) {
  return {set("part", "flexonenand-8gb-ddp"), set("host", "omap2420-400"),
          set("ftl.firmware", firmware),      set("part_overrides.segments_per_die", "64"),
          set("ftl.utilization", "0.3"),      set("workload.fill", "false"),
          set("workload.total_mib", "2")};
}
Settings array() {
  return {set("part", "array-slc"),
          set("host", "ssd-controller"),
          set("ftl.firmware", "page"),
          set("ftl.spare_factor", "0.3"),
          set("part_overrides.channels", "2"),
          set("part_overrides.dies_per_channel", "2"),
          set("part_overrides.planes", "1"),
          set("part_overrides.segments", "64"),
          set("part_overrides.pages_per_segment", "16"),
          set("workload.request_bytes", "4096"),
          set("workload.total_mib", "8")};
}

class LatencyOf : public ::testing::TestWithParam<Served> {
 protected:
  void TearDown() override { std::remove(files_.requests.c_str()); }
  /// Runs and leaves the rows in order of completion.
  ordered_json run(const Settings& more) {
    const Settings drawn{set("workload.kind", "uniform"), set("workload.read_share", "0.3")};
    ordered_json result = run_one_study(with(with(GetParam().by, drawn), more), files_);
    rows_ = csv_rows(files_.requests);
    EXPECT_EQ(rows_.size(), result["host"]["requests"]);
    EXPECT_GT(rows_.size(), 100U);
    return result;
  }
  std::vector<std::string> column(const std::string& name) const {
    std::vector<std::string> cells;
    for (const CsvRow& row : rows_) cells.push_back(row.at(name));
    std::ranges::sort(cells, {}, [](const std::string& cell) { return std::stod(cell); });
    return cells;
  }
  /// What the result says of latency, wait and depth is what the rows say.
  void expect_consistent(const ordered_json& result) const {
    double together = 0;
    for (const char* kind : {"read", "write"}) {
      double latency = 0;
      double wait = 0;
      double count = 0;
      for (const CsvRow& row : rows_) {
        if (row.at("kind") != kind) continue;
        ASSERT_GE(number(row, "begin_s"), number(row, "arrival_s"));
        latency += number(row, "end_s") - number(row, "arrival_s");
        wait += number(row, "begin_s") - number(row, "arrival_s");
        ++count;
      }
      const ordered_json& said = result["latency"][kind];
      EXPECT_NEAR(said["mean_s"].get<double>(), latency / count, 1e-9 + 1e-9 * latency / count) << kind;
      EXPECT_NEAR(said["wait_mean_s"].get<double>(), wait / count, 1e-9 + 1e-9 * wait / count) << kind;
      together += latency;
    }
    const double simulated = result["time"]["simulated_s"];
    EXPECT_NEAR(result["host"]["mean_depth"].get<double>(), together / simulated, 1e-6 * together / simulated)
        << "rate x mean latency";
  }

  LogFiles files_{.requests = ::testing::TempDir() + "ftlab_latency_" + std::to_string(::getpid())};
  std::vector<CsvRow> rows_;
};
INSTANTIATE_TEST_SUITE_P(Served, LatencyOf,
                         ::testing::Values(Served{"card_fms", card("fms")}, Served{"card_page", card("page")},
                                           Served{"card_in_place", card("in_place")},
                                           Served{"onenand_flexfs", onenand("flexfs")},
                                           Served{"onenand_page", onenand("page")}, Served{"array", array()}),
                         [](const auto& served) { return std::string(served.param.name); });

TEST_P(LatencyOf, a_closed_loop_counts_from_the_completion_that_made_room_in_the_queue) {
  for (const std::size_t depth : {1U, 2U, 7U, 64U}) {
    SCOPED_TRACE("depth " + std::to_string(depth));
    const ordered_json result = run({set("workload.queue_depth", std::to_string(depth))});
    // As many as the queue holds arrive at the start, and one whenever one completes.
    const std::vector<std::string> arrivals = column("arrival_s");
    const std::vector<std::string> ends = column("end_s");
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      ASSERT_EQ(arrivals[i], i < depth ? column("begin_s").front() : ends[i - depth]) << i;
    }
    expect_consistent(result);
    // Full until the last ones leave.
    const double last_s = std::stod(ends[ends.size() - depth]) - std::stod(arrivals.front());
    const double at_least = static_cast<double>(depth) * last_s / result["time"]["simulated_s"].get<double>();
    EXPECT_GE(result["host"]["mean_depth"].get<double>(), (1 - 1e-6) * at_least);
    EXPECT_LE(result["host"]["mean_depth"].get<double>(), static_cast<double>(depth));
  }
}

TEST_P(LatencyOf, an_open_loop_counts_from_the_time_that_the_workload_gives) {
  const Settings open{set("workload.arrival", "poisson"), set("workload.mean_interarrival_s", "0.001")};
  for (const char* depth : {"1", "16"}) {
    SCOPED_TRACE(depth);
    const ordered_json result = run(with(open, {set("workload.queue_depth", depth)}));
    expect_consistent(result);
    const std::vector<std::string> arrivals = column("arrival_s");
    const double span = std::stod(arrivals.back()) - std::stod(arrivals.front());
    EXPECT_NEAR(span / static_cast<double>(arrivals.size()), 0.001, 0.0003) << "they do not wait for the device";
  }
}

}  // namespace
}  // namespace ftlab::platform
