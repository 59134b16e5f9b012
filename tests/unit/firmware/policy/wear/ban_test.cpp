// How often the randomised leveling moves data, and whose.
#include <gtest/gtest.h>

#include <map>

#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

using namespace fms;

struct BanFixture : PolicyFixture {
  BanFixture() : PolicyFixture(8, 31, 10) {
    for (const std::uint32_t s : {1U, 2U, 3U, 4U}) seal(s, 20);
    free(5);
    free(6);
  }
  /// Moves from each segment in so many cleanings.
  std::map<std::uint32_t, int> moves(int cleanings, std::uint32_t every) {
    PolicyParams params;
    EXPECT_TRUE(params.set("ban_every", every));
    WearLeveling& ban = make(wear::ban, params);
    std::map<std::uint32_t, int> counts;
    for (int i = 0; i < cleanings; ++i) {
      table.erase(7);
      if (const auto move = ban.pick(view())) {
        ++counts[move->from];
        EXPECT_EQ(move->to, 5U);
      }
    }
    return counts;
  }
};

TEST(Ban, moves_data_in_one_cleaning_of_as_many_as_it_says) {
  BanFixture fixture;
  int all = 0;
  for (const auto& [segment, count] : fixture.moves(20000, 50)) all += count;
  EXPECT_NEAR(all, 400, 80);
}

TEST(Ban, moves_the_data_of_every_segment_sooner_or_later) {
  BanFixture fixture;
  EXPECT_EQ(fixture.moves(2000, 10).size(), 4U);
}

TEST(Ban, moves_no_data_of_a_segment_that_failed_and_no_empty_segment) {
  BanFixture fixture;
  fixture.seal(2, 0);
  fixture.table.record(3).retired = true;
  const auto counts = fixture.moves(2000, 2);
  ASSERT_EQ(counts.size(), 2U);
  EXPECT_EQ(counts.begin()->first, 1U);
  EXPECT_EQ(counts.rbegin()->first, 4U);
}

}  // namespace
}  // namespace ftlab::tests
