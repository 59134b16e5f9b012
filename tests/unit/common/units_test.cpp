// Rules of time and energy units: what is exact, how far the range goes, how rounding falls.
#include "common/units.h"

#include <limits>

#include "gtest/gtest.h"

namespace ftlab {
namespace {

using std::chrono::duration_cast;

TEST(Ticks, one_tick_is_100_ps) {
  EXPECT_EQ(duration_cast<Ticks>(Nanoseconds{1}).count(), 10);
  EXPECT_EQ(duration_cast<Ticks>(std::chrono::seconds{1}).count(), 10'000'000'000);
}

TEST(Ticks, range_covers_lifetime_studies) {
  constexpr double kSecondsPerYear = 365.25 * 86400;
  EXPECT_GT(to_seconds(kNever) / kSecondsPerYear, 29.0);
}

TEST(Ticks, nanoseconds_round_once_to_the_nearest_tick) {
  EXPECT_EQ(ticks_from_ns(15.15).count(), 152);  // 151.5 ticks: halves go away from zero
  EXPECT_EQ(ticks_from_ns(15.14).count(), 151);
  EXPECT_EQ(ticks_from_ns(0.04).count(), 0);
  EXPECT_EQ(ticks_from_ns(0.0).count(), 0);
}

TEST(Ticks, negative_nanoseconds_mirror_positive_ones) {
  for (const double ns : {0.04, 0.05, 1.0, 15.15, 6000.0}) {
    EXPECT_EQ(ticks_from_ns(-ns).count(), -ticks_from_ns(ns).count()) << ns;
  }
}

TEST(Ticks, seconds_of_whole_milliseconds_are_exact_to_double_precision) {
  EXPECT_DOUBLE_EQ(to_seconds(duration_cast<Ticks>(std::chrono::milliseconds{600})), 0.6);
}

TEST(Ticks, nothing_is_later_than_never) {
  EXPECT_EQ(kNever.count(), std::numeric_limits<std::int64_t>::max());
  EXPECT_GT(kNever, duration_cast<Ticks>(std::chrono::hours{24} * 365 * 29));
}

TEST(Picojoules, sums_and_differences_are_exact) {
  Picojoules sum{1};
  sum += Picojoules{2};
  EXPECT_EQ(sum, Picojoules{3});
  sum -= Picojoules{5};
  EXPECT_EQ(sum, Picojoules{-2});
  EXPECT_EQ(Picojoules{7} + Picojoules{8}, Picojoules{15});
  EXPECT_EQ(Picojoules{7} - Picojoules{8}, Picojoules{-1});
}

TEST(Picojoules, one_operation_times_a_count_equals_the_repeated_sum) {
  const Picojoules one{12'345'678};
  Picojoules sum;
  for (int i = 0; i < 1000; ++i) sum += one;
  EXPECT_EQ(one * 1000, sum);
}

TEST(Picojoules, headroom_holds_fifty_million_erasures_of_180_mJ) {
  const Picojoules erase{180'000'000'000};
  EXPECT_NEAR(to_joules(erase), 0.18, 1e-15);
  EXPECT_NEAR(to_joules(erase * 50'000'000), 9.0e6, 1.0);
}

TEST(Picojoules, order_is_the_order_of_counts) {
  EXPECT_LT(Picojoules{-1}, Picojoules{});
  EXPECT_GT(Picojoules{2}, Picojoules{1});
}

TEST(Sizes, binary_prefixes) {
  EXPECT_EQ(kKiB, 1024U);
  EXPECT_EQ(kMiB, 1024U * 1024U);
}

}  // namespace
}  // namespace ftlab
