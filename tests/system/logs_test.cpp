// Logs of requests and of the bus through whole runs: they add up to the result.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ostream>

#include "platform/machine/ledger.h"
#include "tests/system/csv_rows.h"
#include "tests/system/run_here.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

class Logs : public ::testing::Test {
 protected:
  void TearDown() override {
    for (const std::string* file : {&files_.ops, &files_.requests, &files_.bus}) std::remove(file->c_str());
  }
  std::string path_ = ::testing::TempDir() + "ftlab_logs_" + std::to_string(::getpid());
  LogFiles files_{path_ + ".ops", path_ + ".requests", path_ + ".bus"};
};

double time_of_causes(const CsvRow& request) {
  double sum = 0;
  for (std::uint32_t c = 0; c < kCauses; ++c)
    sum += number(request, std::string(name_of(static_cast<Cause>(c))) + "_s");
  return sum;
}

double latency_of(const std::vector<CsvRow>& requests, const std::string& kind) {
  double sum = 0;
  for (const CsvRow& row : requests) {
    if (row.at("kind") == kind) sum += number(row, "end_s") - number(row, "arrival_s");
  }
  return sum;
}

double mean_times_count(const ordered_json& latency) {
  return latency.at("mean_s").get<double>() * latency.at("count").get<double>();
}

std::size_t rows_with(const std::vector<CsvRow>& rows, const std::string& column, const std::string& value) {
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [&](const CsvRow& row) { return row.at(column) == value; }));
}

TEST_F(Logs, every_measured_request_is_a_row_whose_causes_sum_to_its_service_time) {
  const ordered_json run =
      run_one_study(small_study({{"workload.read_share", "0.3"}, {"workload.page_cache_hits", "0.2"}}), files_);
  const std::vector<CsvRow> requests = csv_rows(files_.requests);
  ASSERT_EQ(requests.size(), run["host"]["requests"]);
  double work = 0;
  double cleaning = 0;
  for (const CsvRow& row : requests) {
    ASSERT_NEAR(time_of_causes(row), number(row, "end_s") - number(row, "begin_s"), 1e-9);
    ASSERT_LE(number(row, "arrival_s"), number(row, "begin_s"));
    work += number(row, "cpu_s");
    cleaning += number(row, "clean_s");
  }
  EXPECT_NEAR(latency_of(requests, "write"), mean_times_count(run["latency"]["write"]), 1e-6);
  EXPECT_NEAR(latency_of(requests, "read"), mean_times_count(run["latency"]["read"]), 1e-6);
  EXPECT_EQ(rows_with(requests, "status", "cached"), run["host"]["cached_reads"]);
  EXPECT_EQ(rows_with(requests, "kind", "write"), run["host"]["writes"]);
  EXPECT_NEAR(cleaning, run["time"]["by_cause_s"]["clean"].get<double>(), 1e-6) << "all of it while a request waits";
  double worked = 0;
  for (const auto& [name, cost] : run["firmware"]["work"].items()) worked += cost["time_s"].get<double>();
  // The flush at the end has no row.
  const ordered_json& requested = run["firmware"]["work"]["request"];
  worked -= requested["time_s"].get<double>() / requested["count"].get<double>();
  EXPECT_NEAR(work, worked, 1e-6);
}

TEST_F(Logs, requests_of_an_open_loop_arrive_before_they_begin) {
  const ordered_json run =
      run_one_study(small_study({{"workload.arrival", "poisson"}, {"workload.mean_interarrival_s", "0.02"}}), files_);
  const std::vector<CsvRow> requests = csv_rows(files_.requests);
  EXPECT_GT(number(requests.back(), "begin_s"), number(requests.back(), "arrival_s"));
  EXPECT_NEAR(latency_of(requests, "write"), mean_times_count(run["latency"]["write"]), 1e-5);
}

TEST_F(Logs, requests_in_flight_together_are_all_logged) {
  const ordered_json run = run_one_study({{"host", "omap2420-400"},
                                          {"part", "flexonenand-8gb-ddp"},
                                          {"part_overrides.segments_per_die", "64"},
                                          {"ftl.firmware", "page"},
                                          {"ftl.utilization", "0.3"},
                                          {"workload.total_mib", "8"},
                                          {"workload.fill", "false"},
                                          {"workload.queue_depth", "4"}},
                                         files_);
  const std::vector<CsvRow> requests = csv_rows(files_.requests);
  ASSERT_EQ(requests.size(), run["host"]["requests"]);
  EXPECT_GT(run["host"]["max_in_flight"], 1);
  EXPECT_NEAR(latency_of(requests, "write"), mean_times_count(run["latency"]["write"]), 1e-6);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    ASSERT_NEAR(time_of_causes(requests[i]), number(requests[i], "end_s") - number(requests[i], "begin_s"), 1e-9);
    ASSERT_GE(number(requests[i], "end_s"), number(requests[i == 0 ? 0 : i - 1], "end_s"));
  }
}

/// Time that the bus log does not have: words of array reads, which the operation log has.
double array_read_time(const std::string& ops, double read_cycle_s) {
  double words = 0;
  for (const CsvRow& row : csv_rows(ops)) {
    if (row.at("phase") != "measure" || row.at("kind") != "array_read") continue;
    words += static_cast<double>((std::stoull(row.at("bytes")) + 1) / 2);
  }
  return words * read_cycle_s;
}

struct BusOf {
  const char* name;
  std::vector<Setting> settings;
  double read_cycle_s;
  friend void PrintTo(const BusOf& bus, std::ostream* out) { *out << bus.name; }
};

/// Rows that touch the span, by the columns of their begin and either their end or their duration.
std::vector<CsvRow> rows_within(const std::vector<CsvRow>& rows, const std::string& begin, const std::string& end,
                                double from, double to) {
  std::vector<CsvRow> within;
  for (const CsvRow& row : rows) {
    const double start = number(row, begin);
    const double stop = end == "busy_s" ? start + number(row, end) : number(row, end);
    if (row.contains("phase") && row.at("phase") != "measure") continue;
    if (start < to && stop > from) within.push_back(row);
  }
  return within;
}

TEST_F(Logs, a_span_leaves_what_touches_it_and_changes_no_figure) {
  const std::vector<Setting> study = small_study({});
  ordered_json whole = run_one_study(study, files_);
  const std::vector<CsvRow> operations = csv_rows(files_.ops);
  const std::vector<CsvRow> requests = csv_rows(files_.requests);
  const auto begin = whole["run"]["measured_from_s"].get<double>();
  const auto length = whole["time"]["simulated_s"].get<double>();
  ASSERT_GT(begin, 0) << "the fill comes first";
  const double from = 0.25 * length;
  const double to = 0.5 * length;
  LogFiles some = files_;
  some.span = LogSpan(ticks_from_ns(from * 1e9), ticks_from_ns(to * 1e9));
  ordered_json again = run_one_study(study, some);
  EXPECT_EQ(csv_rows(files_.ops), rows_within(operations, "start_s", "busy_s", begin + from, begin + to));
  EXPECT_EQ(csv_rows(files_.requests), rows_within(requests, "begin_s", "end_s", begin + from, begin + to));
  EXPECT_LT(csv_rows(files_.bus).size(), operations.size());
  whole.erase("run");
  again.erase("run");
  EXPECT_EQ(whole, again);
}

class BusLogs : public Logs, public ::testing::WithParamInterface<BusOf> {};
INSTANTIATE_TEST_SUITE_P(Logs, BusLogs,
                         ::testing::Values(BusOf{"card", small_study({{"workload.read_share", "0.3"}}), 450e-9},
                                           BusOf{"nand_that_is_polled",
                                                 {{"host", "omap2420-400"},
                                                  {"part", "flexonenand-4gb"},
                                                  {"part_overrides.segments_per_die", "64"},
                                                  {"ftl.firmware", "page"},
                                                  {"ftl.utilization", "0.3"},
                                                  {"workload.total_mib", "1"},
                                                  {"workload.read_share", "0.3"},
                                                  {"workload.fill", "false"},
                                                  {"driver.wait", "poll"},
                                                  {"host_overrides.program_poll", "20 us"}},
                                                 160e-9}),
                         [](const auto& bus) { return std::string(bus.param.name); });

TEST_P(BusLogs, bursts_and_array_reads_sum_to_the_time_of_the_bus) {
  const ordered_json run = run_one_study(GetParam().settings, files_);
  double busy = 0;
  double before = 0;
  std::vector<std::string> phases;
  for (const CsvRow& row : csv_rows(files_.bus)) {
    ASSERT_GE(number(row, "start_s"), before) << "rows are in order of start";
    before = number(row, "start_s");
    if (phases.empty() || phases.back() != row.at("phase")) phases.push_back(row.at("phase"));
    if (row.at("phase") == "measure") busy += number(row, "busy_s");
  }
  const double bus = run["time"]["bus_s"];
  EXPECT_NEAR(busy + array_read_time(files_.ops, GetParam().read_cycle_s), bus, 1e-6 * bus);
  EXPECT_EQ(phases.front(), "attach");
  EXPECT_EQ(phases.back(), "measure");
}

}  // namespace
}  // namespace ftlab::platform
