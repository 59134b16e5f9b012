// The free segments of each die, against a model that keeps them as plain lists.
#include "firmware/map/free_segments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "firmware/base/random.h"

namespace ftlab {
namespace {

constexpr std::uint32_t kPerDie = 12;
constexpr std::uint32_t kDies = 2;
using Ids = std::vector<std::uint32_t>;

class FreeSegmentsTest : public testing::Test {
 protected:
  FreeSegmentsTest() {
    Arena measure(nullptr, 0);
    FreeSegments().layout(measure, kDies * kPerDie, kDies);
    memory_.resize(measure.used() / sizeof(std::max_align_t) + 1);
    Arena arena(reinterpret_cast<std::byte*>(memory_.data()), memory_.size() * sizeof(std::max_align_t));
    free_.layout(arena, kDies * kPerDie, kDies);
    free_.clear();
  }
  [[nodiscard]] Ids all(std::uint32_t die) const {
    Ids ids;
    for (std::uint32_t id = free_.first(die); id != kNoSegment; id = free_.next(id)) ids.push_back(id);
    EXPECT_EQ(free_.count(die), ids.size());
    return ids;
  }
  void put_before(std::uint32_t segment, std::uint32_t other) {
    free_.put_before(0, segment, [other](std::uint32_t id) { return id == other; });
  }

  std::vector<std::max_align_t> memory_;
  FreeSegments free_;
};

TEST_F(FreeSegmentsTest, come_in_the_order_in_which_they_were_put) {
  EXPECT_EQ(free_.first(0), kNoSegment);
  for (const std::uint32_t id : {3U, 1U, 2U}) free_.put(0, id);
  free_.put(1, kPerDie);
  EXPECT_EQ(all(0), (Ids{3, 1, 2}));
  EXPECT_EQ(all(1), Ids{kPerDie});
  free_.clear();
  EXPECT_EQ(all(0), Ids{});
}

TEST_F(FreeSegmentsTest, may_be_put_before_any_other_one) {
  put_before(5, 9);
  EXPECT_EQ(all(0), Ids{5}) << "it is alone";
  put_before(3, 5);
  put_before(4, 5);
  EXPECT_EQ(all(0), (Ids{3, 4, 5}));
  put_before(6, 9);
  free_.put(0, 7);
  EXPECT_EQ(all(0), (Ids{3, 4, 5, 6, 7})) << "none comes later";
}

TEST_F(FreeSegmentsTest, are_put_before_the_first_of_several_that_come_later) {
  for (const std::uint32_t id : {1U, 5U, 3U, 7U}) free_.put(0, id);
  free_.put_before(0, 4, [](std::uint32_t id) { return id > 4; });
  EXPECT_EQ(all(0), (Ids{1, 4, 5, 3, 7}));
}

TEST_F(FreeSegmentsTest, are_taken_from_anywhere) {
  for (const std::uint32_t id : {1U, 2U, 3U, 4U}) free_.put(0, id);
  free_.take(0, 2);
  EXPECT_EQ(all(0), (Ids{1, 3, 4}));
  free_.take(0, 1);
  EXPECT_EQ(all(0), (Ids{3, 4}));
  free_.take(0, 4);
  free_.put(0, 5);
  EXPECT_EQ(all(0), (Ids{3, 5})) << "behind what is the last now";
  free_.take(0, 5);
  free_.take(0, 3);
  free_.put(0, 6);
  EXPECT_EQ(all(0), Ids{6});
}

TEST_F(FreeSegmentsTest, are_those_of_a_plain_model_after_every_change) {
  std::array<Ids, kDies> model;
  Random random(3);
  for (int i = 0; i < 4000; ++i) {
    const std::uint32_t id = random.below(kDies * kPerDie);
    const std::uint32_t die = id / kPerDie;
    Ids& list = model[die];
    if (const auto at = std::ranges::find(list, id); at != list.end()) {
      list.erase(at);
      free_.take(die, id);
    } else if (random.below(2) == 0) {
      list.push_back(id);
      free_.put(die, id);
    } else {
      const auto later = [&](std::uint32_t other) { return other % 5 > id % 5; };
      list.insert(std::ranges::find_if(list, later), id);
      free_.put_before(die, id, later);
    }
    for (std::uint32_t other = 0; other < kDies; ++other) ASSERT_EQ(all(other), model[other]) << "change " << i;
  }
}

}  // namespace
}  // namespace ftlab
