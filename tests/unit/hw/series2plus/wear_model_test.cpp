// Limits and growth of times.
#include "hw/series2plus/aging/wear_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ftlab::hw {
namespace {

CardSpec worn_spec() {
  CardSpec spec;
  spec.pairs = 8;
  spec.segments_per_pair = 64;
  spec.segment_bytes = 131072;
  spec.timing.erase = std::chrono::milliseconds{600};
  spec.timing.erase_timeout = std::chrono::seconds{9};
  spec.timing.word_program = std::chrono::microseconds{6};
  spec.timing.buffer_program_byte = Ticks{27'600};
  spec.timing.program_timeout_ratio = 5;
  spec.endurance = {100'000, 1'000'000, 0.4, 1.0, 0.15};
  return spec;
}

TEST(WearModel, median_and_spread_of_the_limits_are_those_of_the_part) {
  CardSpec spec = worn_spec();
  spec.timing.erase_timeout = std::chrono::hours{1};
  const WearModel wear(spec, 1);
  std::vector<double> limits;
  for (const BlockCells& cells : wear.all()) limits.push_back(std::log(cells.limit - 100'000.0));
  std::sort(limits.begin(), limits.end());
  EXPECT_NEAR(std::exp(limits[limits.size() / 2]), 900'000, 40'000);
  double mean = 0;
  for (const double limit : limits) mean += limit / static_cast<double>(limits.size());
  double variance = 0;
  for (const double limit : limits) variance += (limit - mean) * (limit - mean) / static_cast<double>(limits.size());
  EXPECT_NEAR(std::sqrt(variance), 0.4, 0.03);
}

TEST(WearModel, times_grow_linearly_and_a_worn_block_takes_its_timeout) {
  const WearModel wear(worn_spec(), 1);
  BlockCells cells{0, 300'000, false, false};
  EXPECT_EQ(wear.erase_time(cells), Ticks(std::chrono::milliseconds{600}));
  cells.cycles = 100'000;
  EXPECT_EQ(wear.erase_time(cells), Ticks(std::chrono::milliseconds{1200}));
  EXPECT_NEAR(static_cast<double>(wear.buffer_program_time(cells, 256).count()), 27'600 * 256 * 1.15, 2);
  cells.cycles = 200'000;
  EXPECT_EQ(wear.erase_time(cells), Ticks(std::chrono::milliseconds{1800}));
  cells.cycles = 300'000;
  EXPECT_EQ(wear.erase_time(cells), Ticks(std::chrono::seconds{9}));
  const Ticks good = wear.word_program_time(cells);
  cells.worn = true;
  EXPECT_EQ(wear.word_program_time(cells), good * 5);
}

TEST(WearModel, no_block_outlives_the_cycle_at_which_an_erase_reaches_its_timeout) {
  const WearModel wear(worn_spec(), 1);
  std::uint32_t longest = 0;
  for (const BlockCells& cells : wear.all()) longest = std::max(longest, cells.limit);
  EXPECT_EQ(longest, 1'400'000U);  // 0.6 s x (1 + 14) = 9 s
}

TEST(WearModel, growth_does_not_overflow_at_absurd_ages) {
  const WearModel wear(worn_spec(), 1);
  const BlockCells cells{4'000'000'000U, 4'100'000'000U, false, false};
  EXPECT_NEAR(to_seconds(wear.erase_time(cells)), 0.6 * 41, 0.01);
}

TEST(WearModel, uniform_means_equal_time_and_equal_fate) {
  WearModel wear(worn_spec(), 1);
  wear.cells(0, 0).limit = 10;
  wear.cells(0, 1).limit = 20;
  EXPECT_TRUE(wear.uniform(0));
  wear.cells(0, 0).cycles = wear.cells(0, 1).cycles = 15;
  EXPECT_FALSE(wear.uniform(0)) << "one fails, the other does not";
  wear.cells(1, 0).cycles = 1;
  EXPECT_FALSE(wear.uniform(1));
  wear.cells(2, 1).locked = true;
  EXPECT_FALSE(wear.uniform(2));
}

}  // namespace
}  // namespace ftlab::hw
