// When each trigger cleans.
#include <gtest/gtest.h>

#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

using namespace fms;

struct TriggerFixture : PolicyFixture {
  TriggerFixture() : PolicyFixture(4, 10, 10) {}
  bool goes_on(const TriggerEntry& entry, bool full, std::uint32_t free) {
    return make(entry, params).goes_on(view(), room(full, free));
  }
  bool is_worth(const TriggerEntry& entry, std::uint32_t free, std::uint32_t valid) {
    seal(1, valid);
    return make(entry, params).is_worth(view(), room(true, free), 1);
  }
  static RoomLeft room(bool full, std::uint32_t free) { return {full, free, 4, 6, 2}; }
  PolicyParams params;
};

TEST(EveryTrigger, cleans_a_victim_with_anything_to_gain_when_free_segments_are_left_for_copies_alone) {
  TriggerFixture f;
  for (const TriggerEntry& entry : triggers()) {
    for (const std::uint32_t free : {1U, 2U}) {
      EXPECT_TRUE(f.goes_on(entry, true, free)) << entry.name;
      EXPECT_TRUE(f.is_worth(entry, free, 9)) << entry.name;
    }
  }
}

TEST(Watermark, starts_at_the_low_mark_and_ends_at_the_high_one) {
  TriggerFixture f;
  EXPECT_FALSE(f.goes_on(trigger::watermark, true, 5));
  EXPECT_TRUE(f.goes_on(trigger::watermark, true, 4));
  EXPECT_TRUE(f.goes_on(trigger::watermark, false, 5));
  EXPECT_FALSE(f.goes_on(trigger::watermark, false, 6));
}

TEST(NoFreeSpace, waits_for_the_last_segments_and_ends_with_the_first_room) {
  TriggerFixture f;
  EXPECT_FALSE(f.goes_on(trigger::no_free_space, true, 3));
  EXPECT_TRUE(f.goes_on(trigger::no_free_space, true, 2));
  EXPECT_FALSE(f.goes_on(trigger::no_free_space, false, 1));
}

struct Falling : TriggerFixture {
  Falling() {
    EXPECT_TRUE(params.set("falling_from", 12));
    EXPECT_TRUE(params.set("falling_garbage", 800'000));
  }
  bool starts(std::uint32_t free) { return goes_on(trigger::falling_threshold, true, free); }
  /// Least garbage of ten slots that is worth a cleaning.
  std::uint32_t demanded(std::uint32_t free) {
    std::uint32_t garbage = 0;
    while (!is_worth(trigger::falling_threshold, free, 10 - garbage)) ++garbage;
    return garbage;
  }
};

TEST(FallingThreshold, looks_for_victims_from_its_start_on) {
  Falling f;
  EXPECT_FALSE(f.starts(13));
  EXPECT_TRUE(f.starts(12));
  EXPECT_TRUE(f.starts(4));
}

TEST(FallingThreshold, demands_less_garbage_the_fewer_segments_are_free) {
  Falling f;
  EXPECT_EQ(f.demanded(12), 8U);
  EXPECT_EQ(f.demanded(8), 4U);
  EXPECT_EQ(f.demanded(5), 1U);
  EXPECT_EQ(f.demanded(4), 0U) << "nothing at the low mark";
  EXPECT_EQ(f.demanded(30), 8U) << "and no more before its start, where only idle time cleans";
}

TEST(FallingThreshold, is_a_water_mark_when_it_starts_no_earlier) {
  Falling f;
  f.params.set("falling_from", 4);
  EXPECT_FALSE(f.starts(5));
  EXPECT_TRUE(f.starts(4));
  EXPECT_EQ(f.demanded(9), 0U);
}

}  // namespace
}  // namespace ftlab::tests
