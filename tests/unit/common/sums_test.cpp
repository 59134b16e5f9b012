#include "common/sums.h"

#include <gtest/gtest.h>

namespace ftlab {
namespace {

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

TEST(Picojoules, the_longest_run_of_the_hungriest_array_fits) {
  const Picojoules tick{10'000};  // 100 W
  const Picojoules whole = tick * kClockEnd.count() * 4096;
  EXPECT_NEAR(to_joules(whole), 100 * to_seconds(kClockEnd) * 4096, 1e3);
}

TEST(TickSum, takes_the_longest_time_of_each_of_many) {
  TickSum sum{};
  for (int i = 0; i < 1000; ++i) sum += kNever;
  EXPECT_EQ(sum.count(), Int128{kNever.count()} * 1000);
  EXPECT_DOUBLE_EQ(to_seconds(sum), to_seconds(kNever) * 1000);
}

TEST(Picojoules, order_is_the_order_of_counts) {
  EXPECT_LT(Picojoules{-1}, Picojoules{});
  EXPECT_GT(Picojoules{2}, Picojoules{1});
}

}  // namespace
}  // namespace ftlab
