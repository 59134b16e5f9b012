// The free segments of each die, against a model that keeps them as plain lists.
#include "firmware/map/free_segments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "firmware/base/random.h"
#include "firmware/map/listed_segments.h"
#include "tests/fixtures/laid_out.h"

namespace ftlab {
namespace {

constexpr std::uint32_t kPerDie = 12;
constexpr std::uint32_t kDies = 2;
using Ids = std::vector<std::uint32_t>;

class FreeSegmentsTest : public testing::Test {
 protected:
  FreeSegmentsTest() {
    memory_ = tests::laid_out([this](Arena& arena) { free_.layout(arena, kDies * kPerDie, kDies); });
    free_.clear();
  }
  [[nodiscard]] Ids all(std::uint32_t die) const {
    Ids ids;
    for (std::uint32_t id = free_.first(die); id != kNoSegment; id = free_.next(id)) ids.push_back(id);
    EXPECT_EQ(free_.count(die), ids.size());
    return ids;
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
