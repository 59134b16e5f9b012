#include "firmware/ftl/flexfs/decide/windows.h"

#include <gtest/gtest.h>

#include "firmware/ftl/flexfs/decide/fraction.h"

namespace ftlab::flexfs {
namespace {

TEST(Windows, mean_of_nothing_is_zero) { EXPECT_EQ(Windows<10>().mean(3, 2), 0U); }

TEST(Windows, newest_values_weigh_more) {
  Windows<10> windows;
  for (int i = 0; i < 7; ++i) windows.push(10);
  for (int i = 0; i < 3; ++i) windows.push(20);
  EXPECT_EQ(windows.mean(), 13U);            // 130 / 10
  EXPECT_EQ(windows.mean(3, 2), 190U / 13);  // (7 * 10 + 2 * 3 * 20) / 13
}

TEST(Windows, mean_of_few_values_counts_only_those) {
  Windows<10> windows;
  windows.push(8);
  EXPECT_EQ(windows.mean(3, 2), 8U);
  windows.push(4);
  EXPECT_EQ(windows.mean(3, 2), 6U);
}

TEST(Windows, oldest_value_is_forgotten_first) {
  Windows<3> windows;
  for (const std::uint64_t value : {100U, 1U, 2U, 3U}) windows.push(value);
  EXPECT_EQ(windows.count(), 3U);
  EXPECT_EQ(windows.mean(), 2U);
  EXPECT_EQ(windows.mean(1, 4), (1U + 2 + 4 * 3) / 6);
}

TEST(Fraction, never_exceeds_one_and_of_nothing_is_one) {
  EXPECT_EQ(fraction(1, 2), kOne / 2);
  EXPECT_EQ(fraction(3, 2), kOne);
  EXPECT_EQ(fraction(0, 0), kOne);
  EXPECT_EQ(fraction(0, 5), 0U);
  EXPECT_EQ(scaled(1000, kOne / 4), 250U);
}

}  // namespace
}  // namespace ftlab::flexfs
