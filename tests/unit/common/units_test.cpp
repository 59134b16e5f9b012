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

TEST(Ticks, later_stays_before_never) {
  EXPECT_EQ(later(Ticks{5}, Ticks{7}), Ticks{12});
  EXPECT_EQ(later(Ticks{5}, Ticks{-7}), Ticks{-2});
  EXPECT_EQ(later(Ticks{-5}, kNever), kNever - Ticks{5});
  EXPECT_EQ(later(Ticks{5}, kNever), kNever - Ticks{1});
  EXPECT_EQ(later(kClockEnd, kClockEnd), kNever - Ticks{1});
  EXPECT_LT(later(kNever, Ticks{1}), kNever);
}

TEST(Sizes, binary_prefixes) {
  EXPECT_EQ(kKiB, 1024U);
  EXPECT_EQ(kMiB, 1024U * 1024U);
}

}  // namespace
}  // namespace ftlab
