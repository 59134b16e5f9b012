// When the swap happens and between which segments.
#include <gtest/gtest.h>

#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

using namespace fms;

struct SwapFixture : PolicyFixture {
  SwapFixture() : PolicyFixture(6, 31, 10) {
    seal(1, 31, 0, 40);
    seal(2, 31, 0, 7);
    seal(3, 20, 0, 60);
    table.row(4).erase_count = 100;
    table.push_free(4);
    table.row(5).erase_count = 50;
    table.push_free(5);
  }
};

TEST(Swap, moves_the_least_erased_data_to_the_most_erased_free_segment) {
  SwapFixture fixture;
  const auto move = pick_swap(fixture.view(), {.from_count = 90, .gap = 10});
  ASSERT_TRUE(move.has_value());
  EXPECT_EQ(move->from, 2U);
  EXPECT_EQ(move->to, 4U);
}

TEST(Swap, waits_until_a_segment_nears_its_end_of_life) {
  SwapFixture fixture;
  EXPECT_FALSE(pick_swap(fixture.view(), {.from_count = 101, .gap = 10}).has_value());
  EXPECT_TRUE(pick_swap(fixture.view(), {.from_count = 100, .gap = 10}).has_value());
}

TEST(Swap, is_not_worth_it_below_the_gap) {
  SwapFixture fixture;
  EXPECT_TRUE(pick_swap(fixture.view(), {.from_count = 1, .gap = 93}).has_value());
  EXPECT_FALSE(pick_swap(fixture.view(), {.from_count = 1, .gap = 94}).has_value());
}

TEST(Swap, waits_until_the_most_erased_segment_is_free) {
  SwapFixture fixture;
  fixture.seal(3, 20, 0, 200);
  EXPECT_FALSE(pick_swap(fixture.view(), {.from_count = 1, .gap = 1}).has_value());
}

TEST(NoSwap, never_moves_anything) {
  SwapFixture fixture;
  EXPECT_FALSE(pick_no_swap(fixture.view(), {.from_count = 0, .gap = 0}).has_value());
}

}  // namespace
}  // namespace ftlab::tests
