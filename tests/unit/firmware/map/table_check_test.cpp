// Sound tables pass; each way to break them is reported.
#include "firmware/map/table_check.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

/// Segment 1 holds pages 0 to 2, segments 2 and 3 are free.
class TableCheck : public ::testing::Test {
 protected:
  TableCheck() {
    fixture_.seal(1, 0);
    for (std::uint32_t lpn = 0; lpn < 3; ++lpn) {
      const std::uint32_t ppn = table().ppn(1, lpn);
      table().lpn_at(ppn) = lpn;
      table().set_valid(1, lpn);
      fixture_.pages.map(Lpn{lpn}, Ppn{ppn}, 1, 0);
    }
    for (const std::uint32_t id : {2U, 3U}) table().push_free(id);
  }
  SegmentTable& table() { return fixture_.table; }
  std::string broken() {
    if (const char* slots = check_valid_slots(table(), fixture_.pages, 1)) return slots;
    if (const char* mapped = check_mapped_pages(table(), fixture_.pages)) return mapped;
    const char* list = check_free_list(table());
    return list != nullptr ? list : "";
  }

  PolicyFixture fixture_{4, 8, 5};
};

TEST_F(TableCheck, sound_tables_pass) { EXPECT_EQ(broken(), ""); }

TEST_F(TableCheck, a_valid_count_that_is_off) {
  ++table().row(1).valid;
  EXPECT_EQ(broken(), "a segment's valid count is not the number of its valid slots");
}

TEST_F(TableCheck, a_valid_slot_beyond_the_used_ones) {
  table().row(1).used = 2;
  EXPECT_EQ(broken(), "a slot beyond the used ones is valid");
}

TEST_F(TableCheck, a_slot_of_no_page_and_of_another_page) {
  table().lpn_at(table().ppn(1, 2)) = 5;
  EXPECT_EQ(broken(), "a valid slot holds no logical page");
  table().lpn_at(table().ppn(1, 2)) = 1;
  EXPECT_EQ(broken(), "a valid slot and the page table disagree");
}

TEST_F(TableCheck, a_mapped_page_without_a_valid_slot_or_updates) {
  fixture_.pages.map(Lpn{4}, Ppn{table().ppn(1, 5)}, 1, 0);
  EXPECT_EQ(broken(), "a mapped page's slot is not valid");
  fixture_.pages.unmap(4);
  fixture_.pages.map(Lpn{1}, Ppn{table().ppn(1, 1)}, 0, 0);
  EXPECT_EQ(broken(), "a mapped page has no updates");
}

TEST_F(TableCheck, a_free_list_that_lacks_a_segment_or_holds_a_used_one) {
  table().row(1).state = SegmentState::free;
  EXPECT_EQ(broken(), "a free segment is missing from the free list");
  table().row(1).state = SegmentState::sealed;
  table().row(3).state = SegmentState::sealed;
  EXPECT_EQ(broken(), "the free list holds a segment that is not free");
}

}  // namespace
}  // namespace ftlab::tests
