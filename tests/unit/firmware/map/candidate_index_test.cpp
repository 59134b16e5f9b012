#include "firmware/map/candidate_index.h"

#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstddef>
#include <vector>

#include "firmware/map/segment_view.h"
#include "tests/fixtures/laid_out.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kSegments = 12;
constexpr std::uint32_t kSlots = 9;

/// A segment table with an index that it keeps.
class CandidateIndexTest : public testing::Test {
 protected:
  CandidateIndexTest() {
    memory_ = laid_out([this](Arena& arena) {
      table_.layout(arena, {kSegments, kSlots});
      table_.lists().layout(arena, {kSegments});
      index_.layout(arena, kSegments, kSlots);
    });
    table_.clear();
    index_.clear();
    table_.watch(0, &index_);
  }
  /// Sealed, with so many valid pages.
  void fill(std::uint32_t segment, std::uint32_t valid) {
    while (table_.valid(segment) < valid) table_.add_valid(segment);
    table_.set_state(segment, SegmentState::sealed);
  }

  std::vector<std::max_align_t> memory_;
  SegmentTable table_;
  CandidateIndex index_;
};

TEST_F(CandidateIndexTest, of_equals_the_one_that_has_had_so_many_the_longest_is_found_first) {
  for (std::uint32_t id = 0; id < kSegments; ++id) fill(id, 4);
  table_.drop_valid(8);
  table_.drop_valid(2);
  table_.drop_valid(5);
  EXPECT_EQ(index_.fewest(), 8U);
  EXPECT_EQ(index_.next(8), 2U);
  EXPECT_EQ(index_.next(2), 5U);
  EXPECT_EQ(index_.next(5), kNone);
}

TEST_F(CandidateIndexTest, random_changes_leave_what_cleaning_may_take_under_its_number_and_the_least_one_found) {
  boost::random::mt19937 random(7);
  const auto draw = [&random](std::uint32_t n) {
    return boost::random::uniform_int_distribution<std::uint32_t>(0, n - 1)(random);
  };
  constexpr SegmentState kStates[] = {SegmentState::sealed, SegmentState::sealed, SegmentState::sealed,
                                      SegmentState::open,   SegmentState::free,   SegmentState::bad};
  for (int change = 0; change < 5000; ++change) {
    const std::uint32_t segment = draw(kSegments);
    if (draw(4) == 0)
      table_.set_state(segment, kStates[draw(6)]);
    else if (draw(8) == 0)
      table_.set_cleaning(segment, draw(2) == 0);
    else if (draw(kSlots) < table_.valid(segment))
      table_.drop_valid(segment);
    else
      table_.add_valid(segment);
    const SegmentView segments = table_.view(0);
    ASSERT_EQ(index_.self_check(segments), nullptr);
    std::uint32_t least = kSlots;
    std::uint32_t count = 0;
    for (std::uint32_t id = 0; id < kSegments; ++id) {
      const SegmentRow row = segments.row(id);
      const bool may = row.state == SegmentState::sealed && row.valid < kSlots && !row.cleaning;
      ASSERT_EQ(index_.has(id), may);
      count += may ? 1 : 0;
      if (may) least = std::min(least, row.valid);
    }
    ASSERT_EQ(index_.count(), count);
    const std::uint32_t found = index_.fewest();
    ASSERT_EQ(found == kNone, least == kSlots);
    if (found != kNone) {
      ASSERT_EQ(segments.row(found).valid, least);
    }
  }
  index_.clear();
  EXPECT_EQ(index_.fewest(), kNone);
  EXPECT_EQ(index_.count(), 0U);
}

TEST_F(CandidateIndexTest, self_check_finds_a_change_that_was_not_reported) {
  fill(1, 3);
  fill(2, 3);
  EXPECT_EQ(index_.self_check(table_.view(0)), nullptr);
  table_.record(1).state = SegmentState::open;
  EXPECT_NE(index_.self_check(table_.view(0)), nullptr);
  table_.record(1).state = SegmentState::sealed;
  table_.lists().drop_valid(2);
  EXPECT_NE(index_.self_check(table_.view(0)), nullptr);
}

}  // namespace
}  // namespace ftlab::tests
