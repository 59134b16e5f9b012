#include "platform/host/latency_bins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace ftlab::platform {
namespace {

int by_axis(const LatencyAxis& axis, Ticks latency) {
  return std::clamp(axis.index(to_seconds(latency)), 0, axis.size() - 1);
}

TEST(LatencyBins, are_those_of_the_axis) {
  const LatencyAxis axis(17 * 240, 1e-8, 1e9);
  LatencyBins bins(axis);
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const Ticks latency{static_cast<std::int64_t>(random() >> (1 + random() % 63))};
    ASSERT_EQ(bins.of(latency), by_axis(axis, latency)) << latency.count();
  }
}

TEST(LatencyBins, begin_and_end_where_the_axis_rounds) {
  const LatencyAxis axis(17 * 240, 1e-8, 1e9);
  LatencyBins bins(axis);
  for (int bin = 0; bin <= axis.size() && axis.value(bin) < to_seconds(kClockEnd); ++bin) {
    const auto edge = static_cast<std::int64_t>(axis.value(bin) / to_seconds(Ticks{1}));
    for (std::int64_t ticks = std::max<std::int64_t>(0, edge - 2); ticks <= edge + 2; ++ticks) {
      ASSERT_EQ(bins.of(Ticks{ticks}), by_axis(axis, Ticks{ticks})) << ticks;
    }
  }
}

TEST(LatencyBins, zero_and_the_longest_latency_have_one) {
  const LatencyAxis axis(17 * 240, 1e-8, 1e9);
  LatencyBins bins(axis);
  EXPECT_EQ(bins.of(Ticks{0}), 0U);
  EXPECT_EQ(bins.of(kClockEnd), static_cast<std::uint32_t>(by_axis(axis, kClockEnd)));
  EXPECT_LE(bins.of(Ticks{INT64_MAX}), static_cast<std::uint32_t>(axis.size()) - 1);
}

}  // namespace
}  // namespace ftlab::platform
