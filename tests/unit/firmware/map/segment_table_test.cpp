// The free list and the valid bitmap.
#include "firmware/map/segment_table.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

std::vector<std::uint32_t> listed(const SegmentTable& table) {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t at = table.first_free(); at != kNone; at = table.row(at).next_free) ids.push_back(at);
  return ids;
}

TEST(FreeList, is_first_in_first_out) {
  PolicyFixture fixture(8, 31, 4);
  for (const std::uint32_t s : {3U, 1U, 7U}) fixture.table.push_free(s);
  EXPECT_EQ(listed(fixture.table), (std::vector<std::uint32_t>{3, 1, 7}));
  fixture.table.remove_free(3);
  fixture.table.push_free(5);
  EXPECT_EQ(listed(fixture.table), (std::vector<std::uint32_t>{1, 7, 5}));
}

TEST(FreeList, stays_whole_when_its_middle_or_end_is_removed) {
  PolicyFixture fixture(8, 31, 4);
  for (std::uint32_t s = 1; s <= 4; ++s) fixture.table.push_free(s);
  fixture.table.remove_free(2);
  fixture.table.remove_free(4);
  fixture.table.push_free(6);
  EXPECT_EQ(listed(fixture.table), (std::vector<std::uint32_t>{1, 3, 6}));
  EXPECT_EQ(fixture.table.free_count(), 3U);
  for (const std::uint32_t s : {1U, 3U, 6U}) fixture.table.remove_free(s);
  EXPECT_TRUE(listed(fixture.table).empty());
  fixture.table.push_free(2);
  EXPECT_EQ(listed(fixture.table), (std::vector<std::uint32_t>{2}));
}

TEST(ValidBitmap, visits_valid_slots_in_ascending_order_across_words) {
  PolicyFixture fixture(3, 130, 4);
  for (const std::uint32_t slot : {129U, 0U, 63U, 64U, 128U}) fixture.table.set_valid(1, slot);
  fixture.table.set_valid(2, 5);
  fixture.table.drop_valid(1, 63);
  std::vector<std::uint32_t> seen;
  fixture.table.for_each_valid(1, [&](std::uint32_t slot) { seen.push_back(slot); });
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 64, 128, 129}));
  EXPECT_EQ(fixture.table.row(1).valid, 4U);
  EXPECT_FALSE(fixture.table.is_valid(1, 63));
}

}  // namespace
}  // namespace ftlab::tests
