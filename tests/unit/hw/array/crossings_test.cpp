// Transfers of a channel one by one: who comes first, what moves, and what has to be resolved.
#include "hw/array/commands/crossings.h"

#include <gtest/gtest.h>

namespace ftlab::hw::array {
namespace {

Ticks at(std::int64_t count) { return Ticks{count}; }

/// Die 0 crosses from 100 to 150, die 1, which is ready at 120, behind it.
class CrossingsTest : public ::testing::Test {
 protected:
  CrossingsTest() {
    EXPECT_EQ(crossings.take_by_readiness(at(0), 0, at(100), at(50)), at(100));
    EXPECT_EQ(crossings.take_by_readiness(at(0), 1, at(120), at(50)), at(150));
  }
  Crossings crossings;
};

TEST_F(CrossingsTest, one_that_is_ready_later_waits_behind_all) {
  EXPECT_EQ(crossings.take_by_readiness(at(0), 2, at(120), at(50)), at(200));
  EXPECT_EQ(crossings.unsettled_from(), kNever);
}

TEST_F(CrossingsTest, one_that_is_ready_earlier_comes_first_and_the_others_are_to_move) {
  EXPECT_EQ(crossings.take_by_readiness(at(0), 2, at(90), at(50)), at(90));
  EXPECT_EQ(crossings.unsettled_from(), at(90));
}

TEST_F(CrossingsTest, one_that_ends_before_the_others_begin_moves_nothing) {
  EXPECT_EQ(crossings.take_by_readiness(at(0), 2, at(50), at(50)), at(50));
  EXPECT_EQ(crossings.unsettled_from(), kNever);
}

TEST_F(CrossingsTest, one_that_stays_takes_the_earliest_gap) {
  EXPECT_EQ(crossings.take_gap(at(0), 2, at(90), at(50)), at(200));
  EXPECT_EQ(crossings.unsettled_from(), kNever);
  crossings.delay(2, at(0), at(0), at(10));
  EXPECT_EQ(crossings.ahead().back().begin, at(200));
}

TEST_F(CrossingsTest, what_a_read_overtakes_is_ready_when_that_has_ended) {
  crossings.delay(1, at(150), at(180), at(30));
  const Crossing& delayed = crossings.ahead().back();
  EXPECT_EQ(delayed.begin, at(180));
  EXPECT_EQ(delayed.ready, at(180));
  EXPECT_EQ(crossings.unsettled_from(), at(180));
}

TEST_F(CrossingsTest, counts_what_lies_behind_and_forgets_what_has_crossed) {
  EXPECT_EQ(crossings.time_behind(at(130)), at(70));
  crossings.take_gap(at(160), 2, at(170), at(50));
  EXPECT_EQ(crossings.ahead().front().die, 1U);
  crossings.remove_from(1, at(150));
  EXPECT_EQ(crossings.place(3, at(160), at(40)), at(160));
}

}  // namespace
}  // namespace ftlab::hw::array
