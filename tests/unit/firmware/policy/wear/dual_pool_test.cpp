// When segments of the two pools change places.
#include <gtest/gtest.h>

#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

using namespace fms;

/// 1 to 3: full, erased seldom. 4 and 5: free, erased often. Their mean is 28.
struct Pools : PolicyFixture {
  explicit Pools(std::uint32_t threshold = 10) : PolicyFixture(6, 31, 10) {
    seal(1, 31, 0, 12);
    seal(2, 31, 0, 7);
    seal(3, 20, 0, 9);
    table.record(4).erase_count = 62;
    free(4);
    table.record(5).erase_count = 50;
    free(5);
    PolicyParams params;
    EXPECT_TRUE(params.set("dual_pool_threshold", threshold));
    policy = &make(wear::dual_pool, params);
  }
  std::optional<WearMove> pick() { return policy->pick(view()); }
  WearLeveling* policy = nullptr;
};

TEST(DualPool, moves_the_least_erased_data_of_the_cold_pool_to_the_most_erased_segment_of_the_hot_one) {
  EXPECT_EQ(Pools().pick(), (WearMove{2, 4}));
}

TEST(DualPool, waits_until_the_difference_exceeds_the_threshold) {
  EXPECT_FALSE(Pools(55).pick().has_value());
  EXPECT_TRUE(Pools(54).pick().has_value());
}

TEST(DualPool, lets_the_two_change_pools_once_the_data_has_moved) {
  Pools pools;
  ASSERT_EQ(pools.pick()->from, 2U);
  pools.table.erase(2);
  pools.policy->moved({2, 4});
  // 4 rests in the cold pool now: 5 is the most erased of the hot one, 3 the least erased of the cold one.
  EXPECT_EQ(pools.pick(), (WearMove{3, 5}));
}

TEST(DualPool, changes_nothing_when_the_move_was_not_done_though_the_segment_was_cleaned) {
  Pools pools;
  ASSERT_EQ(pools.pick(), (WearMove{2, 4}));
  EXPECT_EQ(pools.pick(), (WearMove{2, 4}));
  pools.table.erase(2);
  const auto again = pools.pick();
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->to, 4U) << "still of the hot pool";
}

TEST(DualPool, waits_until_the_most_erased_segment_is_free) {
  Pools pools;
  pools.table.free().take(0, 4);
  pools.table.set_state(4, SegmentState::sealed);
  EXPECT_FALSE(pools.pick().has_value());
  pools.free(4);
  EXPECT_TRUE(pools.pick().has_value());
}

TEST(DualPool, takes_a_segment_of_the_cold_pool_that_is_erased_often_into_the_hot_one) {
  Pools pools(10);
  ASSERT_TRUE(pools.pick().has_value());  // pools are known from here on
  for (int i = 0; i < 70; ++i) pools.table.erase(1);
  pools.table.drop_valid(1);
  (void)pools.pick();  // it joins
  pools.free(1);
  const auto move = pools.pick();
  ASSERT_TRUE(move.has_value());
  EXPECT_EQ(move->to, 1U) << "the most erased of the hot pool, with 82 erases";
}

TEST(DualPool, takes_a_segment_of_the_hot_pool_that_lags_behind_into_the_cold_one) {
  Pools pools(20);
  ASSERT_TRUE(pools.pick().has_value());
  for (int i = 0; i < 40; ++i) pools.table.erase(4);  // 102: 5 is more than 2 * 20 behind
  (void)pools.pick();
  pools.table.free().take(0, 5);
  pools.table.set_state(5, SegmentState::sealed);
  for (const std::uint32_t s : {1U, 2U, 3U}) pools.table.set_state(s, SegmentState::open);
  const auto move = pools.pick();
  ASSERT_TRUE(move.has_value());
  EXPECT_EQ(move->from, 5U);
}

}  // namespace
}  // namespace ftlab::tests
