#include "workloads/workloads.h"

#include <gmock/gmock.h>

#include "tests/unit/workloads/support.h"
#include "workloads/random_stream.h"

namespace ftlab::workloads {
namespace {

using test::drain;
using test::refusal;

constexpr std::uint64_t kDevice = 4 * kMiB;

TEST(Workloads, every_listed_kind_can_be_made_and_has_a_line_of_help) {
  for (const WorkloadKind& kind : workload_kinds()) {
    EXPECT_FALSE(kind.help.empty()) << kind.name;
    EXPECT_EQ(kind.help.find('\n'), std::string_view::npos) << kind.name;
    WorkloadConfig config;
    config.kind = kind.name;
    config.generator.total_bytes = 40 * 4096;
    config.generator.class_access = {0.9, 0.1};
    config.generator.class_data = {0.1, 0.9};
    config.scenario.bursts.period = Ticks{1};
    config.trace.path = test::sample("sample.msr.csv");
    const auto requests = drain(*make_source(config, kDevice, 1));
    EXPECT_FALSE(requests.empty()) << kind.name;
    for (const Request& request : requests) {
      EXPECT_LE(request.offset + request.length, kDevice) << kind.name;
      EXPECT_EQ(request.arrival, Ticks{}) << kind.name;
    }
  }
}

TEST(Workloads, unknown_kind_is_refused_with_the_known_ones) {
  EXPECT_EQ(
      refusal([] { make_source({.kind = "zipf"}, kDevice, 1); }),
      "workload.kind: \"zipf\" is no workload; known are sequential, uniform, hot_cold, classes, scenario, trace");
}

TEST(Workloads, generated_workload_has_no_times_of_a_trace) {
  WorkloadConfig config;
  config.arrival.kind = Arrival::trace;
  EXPECT_EQ(refusal([&] { make_source(config, kDevice, 1); }),
            "workload.arrival: \"trace\" needs kind = \"trace\" or \"scenario\"; uniform has no times, use closed or "
            "poisson");
}

TEST(Workloads, poisson_arrivals_go_with_any_kind) {
  WorkloadConfig config;
  config.kind = "trace";
  config.trace.path = test::sample("sample.spc");
  config.trace.address = "direct";
  config.arrival = {Arrival::poisson, 2.0};
  const auto requests = drain(*make_source(config, kDevice, 1));
  ASSERT_EQ(requests.size(), 8U);
  EXPECT_GT(requests.front().arrival, Ticks{});
  EXPECT_GT(requests.back().arrival, requests.front().arrival);
}

TEST(Workloads, consumers_have_unrelated_streams) {
  EXPECT_NE(stream_seed(1, "a"), stream_seed(1, "b"));
  EXPECT_NE(stream_seed(1, "a"), stream_seed(2, "a"));
}

TEST(Workloads, fill_covers_the_data_of_the_workload) {
  WorkloadConfig config;
  config.generator.pages = 12;
  EXPECT_EQ(drain(*make_fill(config, kDevice, 1)).size(), 12U);
}

}  // namespace
}  // namespace ftlab::workloads
