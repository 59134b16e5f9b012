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
    table.record(4).erase_count = 100;
    free(4);
    table.record(5).erase_count = 50;
    free(5);
  }
  std::optional<WearMove> swap(std::uint32_t from_count, std::uint32_t gap) {
    PolicyParams params;
    params.set("swap_from", from_count);
    params.set("swap_spread", gap);
    return make(wear::swap, params).pick(view());
  }
};

TEST(Swap, moves_the_least_erased_data_to_the_most_erased_free_segment) {
  EXPECT_EQ(SwapFixture().swap(90, 10), (WearMove{2, 4}));
}

TEST(Swap, waits_until_a_segment_nears_its_end_of_life) {
  SwapFixture fixture;
  EXPECT_FALSE(fixture.swap(101, 10).has_value());
  EXPECT_TRUE(fixture.swap(100, 10).has_value());
}

TEST(Swap, is_not_worth_it_below_the_gap) {
  SwapFixture fixture;
  EXPECT_TRUE(fixture.swap(1, 93).has_value());
  EXPECT_FALSE(fixture.swap(1, 94).has_value());
}

TEST(Swap, waits_until_the_most_erased_segment_is_free) {
  SwapFixture fixture;
  fixture.seal(3, 20, 0, 200);
  EXPECT_FALSE(fixture.swap(1, 1).has_value());
}

TEST(Swap, begins_at_its_share_of_the_rated_erase_cycles) {
  SwapFixture fixture;
  PolicyParams params;
  params.set("swap_start", 250'000);
  fixture.geometry.rated_erase_cycles = 400;
  EXPECT_TRUE(fixture.make(wear::swap, params).pick(fixture.view()).has_value());
  fixture.geometry.rated_erase_cycles = 404;
  EXPECT_FALSE(fixture.make(wear::swap, params).pick(fixture.view()).has_value());
}

TEST(NoSwap, never_moves_anything) {
  SwapFixture fixture;
  EXPECT_FALSE(fixture.make(wear::none).pick(fixture.view()).has_value());
}

}  // namespace
}  // namespace ftlab::tests
