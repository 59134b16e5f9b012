#include "firmware/map/valid_index.h"

#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstddef>
#include <vector>

#include "firmware/map/segment_table.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kSegments = 12;
constexpr std::uint32_t kSlots = 9;

/// A segment table with an index that it keeps.
class ValidIndexTest : public testing::Test {
 protected:
  ValidIndexTest() {
    Arena measure(nullptr, 0);
    layout(measure);
    memory_.resize(measure.used() / sizeof(std::max_align_t) + 1);
    Arena arena(reinterpret_cast<std::byte*>(memory_.data()), memory_.size() * sizeof(std::max_align_t));
    layout(arena);
    table_.watch(&index_);
    table_.clear();
  }
  void layout(Arena& arena) {
    table_.layout(arena, kSegments, kSlots);
    index_.layout(arena, kSegments, kSlots);
  }
  void fill(std::uint32_t segment, std::uint32_t valid) {
    for (std::uint32_t slot = 0; slot < valid; ++slot) table_.set_valid(segment, slot);
  }
  std::uint32_t fewest(std::uint32_t below = kSlots) {
    return index_.fewest(below, [](std::uint32_t) { return true; });
  }

  std::vector<std::max_align_t> memory_;
  SegmentTable table_;
  ValidIndex index_;
};

TEST_F(ValidIndexTest, segment_with_the_fewest_valid_pages_is_found_after_every_change) {
  for (std::uint32_t id = 0; id < kSegments; ++id) fill(id, 5);
  fill(7, 0);
  table_.drop_valid(3, 0);
  EXPECT_EQ(fewest(), 3U);
  table_.drop_valid(9, 0);
  table_.drop_valid(9, 1);
  EXPECT_EQ(fewest(), 9U);
  table_.set_valid(9, 0);
  table_.set_valid(9, 1);
  EXPECT_EQ(fewest(), 3U);
}

TEST_F(ValidIndexTest, of_equals_the_one_that_has_had_so_many_the_longest_is_found) {
  for (std::uint32_t id = 0; id < kSegments; ++id) fill(id, 4);
  table_.drop_valid(8, 0);
  table_.drop_valid(2, 0);
  EXPECT_EQ(fewest(), 8U);
}

TEST_F(ValidIndexTest, segments_that_are_not_accepted_or_have_too_many_are_passed_over) {
  for (std::uint32_t id = 0; id < kSegments; ++id) fill(id, id == 4 ? 1 : 3);
  EXPECT_EQ(index_.fewest(kSlots, [](std::uint32_t id) { return id != 4; }), 0U);
  EXPECT_EQ(index_.fewest(3, [](std::uint32_t id) { return id != 4; }), ValidIndex::kEnd);
}

TEST_F(ValidIndexTest, random_changes_leave_each_segment_under_its_number_and_the_least_one_found) {
  boost::random::mt19937 random(7);
  const auto draw = [&random](std::uint32_t n) {
    return boost::random::uniform_int_distribution<std::uint32_t>(0, n - 1)(random);
  };
  for (int change = 0; change < 5000; ++change) {
    const std::uint32_t segment = draw(kSegments);
    const std::uint32_t slot = draw(kSlots);
    if (table_.is_valid(segment, slot))
      table_.drop_valid(segment, slot);
    else
      table_.set_valid(segment, slot);
    std::uint32_t least = kSlots;
    for (std::uint32_t id = 0; id < kSegments; ++id) {
      ASSERT_TRUE(index_.lists(id, table_.row(id).valid));
      least = std::min<std::uint32_t>(least, table_.row(id).valid);
    }
    const std::uint32_t found = fewest();
    if (least < kSlots) {
      ASSERT_NE(found, ValidIndex::kEnd);
      ASSERT_EQ(table_.row(found).valid, least);
    }
  }
}

TEST_F(ValidIndexTest, clear_lists_every_segment_as_empty) {
  fill(1, 3);
  table_.clear();
  for (std::uint32_t id = 0; id < kSegments; ++id) EXPECT_TRUE(index_.lists(id, 0));
}

}  // namespace
}  // namespace ftlab::tests
