#include "platform/host/latency.h"

#include <gtest/gtest.h>

namespace ftlab::platform {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

TEST(Latency, empty_recorder_reports_zero) {
  const LatencyRecorder recorder;
  EXPECT_EQ(recorder.mean_s(), 0.0);
  EXPECT_EQ(recorder.percentile_s(0.99), 0.0);
  EXPECT_TRUE(recorder.bins(10).counts.empty());
}

TEST(Latency, percentiles_are_within_one_percent_of_the_sorted_values) {
  LatencyRecorder recorder;
  for (int i = 1; i <= 1000; ++i) recorder.add(milliseconds{i});
  EXPECT_NEAR(recorder.mean_s(), 0.5005, 1e-12);
  EXPECT_NEAR(recorder.percentile_s(0.50), 0.500, 0.005);
  EXPECT_NEAR(recorder.percentile_s(0.99), 0.990, 0.0099);
  EXPECT_NEAR(recorder.percentile_s(0.999), 0.999, 0.00999);
  EXPECT_DOUBLE_EQ(recorder.max_s(), 1.0);
}

TEST(Latency, percentile_never_exceeds_the_maximum) {
  LatencyRecorder recorder;
  recorder.add(milliseconds{7});
  EXPECT_LE(recorder.percentile_s(0.5), recorder.max_s());
  EXPECT_LE(recorder.percentile_s(1.0), recorder.max_s());
}

TEST(Latency, percentiles_of_years_are_within_one_percent_too) {
  LatencyRecorder recorder;
  for (const double days : {20.0, 400.0, 9000.0}) recorder.add(ticks_from_ns(days * 86400e9));
  recorder.add(kClockEnd);
  EXPECT_NEAR(recorder.percentile_s(0.25), 20 * 86400.0, 0.01 * 20 * 86400);
  EXPECT_NEAR(recorder.percentile_s(0.5), 400 * 86400.0, 0.01 * 400 * 86400);
  EXPECT_NEAR(recorder.percentile_s(0.75), 9000 * 86400.0, 0.01 * 9000 * 86400);
}

TEST(Latency, the_mean_holds_for_requests_that_wait_as_long_as_the_clock_goes) {
  LatencyRecorder recorder;
  for (int i = 0; i < 1000; ++i) recorder.add(kClockEnd);
  EXPECT_DOUBLE_EQ(recorder.mean_s(), to_seconds(kClockEnd));
}

TEST(Latency, bins_cover_every_sample_once) {
  LatencyRecorder recorder;
  for (int i = 1; i <= 500; ++i) recorder.add(milliseconds{i * i});
  const auto bins = recorder.bins(10);
  ASSERT_EQ(bins.edges_s.size(), bins.counts.size() + 1);
  std::uint64_t sum = 0;
  for (const auto n : bins.counts) sum += n;
  EXPECT_EQ(sum, 500U);
  EXPECT_LE(bins.edges_s.front(), 0.001 * (1 + 1e-9));
  EXPECT_GE(bins.edges_s.back(), 250.0);
}

}  // namespace
}  // namespace ftlab::platform
