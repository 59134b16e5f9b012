// Which die takes the next page, by what each has to program.
#include "firmware/volume/log/die_work.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/fixtures/laid_out.h"

namespace ftlab::volume {
namespace {

constexpr std::uint32_t kDieCount = 4;

class DieWorkTest : public testing::Test {
 protected:
  DieWorkTest() {
    memory_ = tests::laid_out([this](Arena& arena) { work_.layout(arena, kDieCount); });
    work_.clear();
    work_.begin_round();
  }
  [[nodiscard]] std::uint32_t least_behind(std::uint32_t last) const {
    return work_.least_behind(last, [](std::uint32_t) { return true; });
  }

  std::vector<std::max_align_t> memory_;
  DieWork work_;
};

TEST_F(DieWorkTest, idle_dies_take_turns) {
  EXPECT_EQ(least_behind(0), 1U);
  EXPECT_EQ(least_behind(2), 3U);
  EXPECT_EQ(least_behind(3), 0U);
}

TEST_F(DieWorkTest, the_die_with_the_fewest_pages_comes_first) {
  for (std::uint32_t die = 0; die < kDieCount; ++die) work_.begin(die, 10 + (die == 2 ? 0 : 1));
  EXPECT_EQ(least_behind(0), 2U);
  work_.end(1, 3);
  EXPECT_EQ(least_behind(2), 1U);
}

TEST_F(DieWorkTest, who_refused_is_asked_again_in_the_next_round_only) {
  work_.refuse(1);
  EXPECT_EQ(least_behind(0), 2U);
  for (std::uint32_t die = 0; die < kDieCount; ++die) work_.refuse(die);
  EXPECT_EQ(least_behind(0), DieWork::kNone);
  work_.begin_round();
  EXPECT_EQ(least_behind(0), 1U);
}

TEST_F(DieWorkTest, a_die_that_cannot_take_a_page_is_passed_over) {
  EXPECT_EQ(work_.least_behind(0, [](std::uint32_t die) { return die == 3; }), 3U);
  EXPECT_EQ(work_.least_behind(0, [](std::uint32_t) { return false; }), DieWork::kNone);
}

TEST_F(DieWorkTest, knows_whether_anything_is_under_way) {
  EXPECT_FALSE(work_.any());
  work_.begin(3, 2);
  work_.end(3, 1);
  EXPECT_TRUE(work_.any());
  work_.end(3, 1);
  EXPECT_FALSE(work_.any());
}

}  // namespace
}  // namespace ftlab::volume
