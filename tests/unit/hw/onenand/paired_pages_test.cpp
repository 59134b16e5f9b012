// The pairing table: its own inverse, half and half, right at the ends of the segment.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "hw/regs/onenand_regs.h"

namespace ftlab::hw::flexonenand {
namespace {

TEST(PairedPages, partner_is_its_own_inverse_and_of_the_other_kind) {
  std::uint32_t fast = 0;
  for (std::uint32_t page = 0; page < kMlcPagesPerSegment; ++page) {
    const std::uint32_t partner = paired::partner(page);
    ASSERT_LT(partner, kMlcPagesPerSegment);
    EXPECT_EQ(paired::partner(partner), page);
    EXPECT_NE(paired::is_lsb(page), paired::is_lsb(partner));
    fast += paired::is_lsb(page) ? 1 : 0;
  }
  EXPECT_EQ(fast, 64U);
}

TEST(PairedPages, lsb_page_comes_before_its_partner) {
  for (std::uint32_t page = 0; page < kMlcPagesPerSegment; ++page) {
    EXPECT_EQ(page < paired::partner(page), paired::is_lsb(page)) << page;
  }
}

TEST(PairedPages, ends_of_the_segment_are_as_published) {
  const std::pair<std::uint32_t, std::uint32_t> published[] = {{0, 4},     {1, 5},     {2, 8},     {3, 9},    {6, 12},
                                                               {118, 124}, {119, 125}, {122, 126}, {123, 127}};
  for (const auto& [lsb, msb] : published) EXPECT_EQ(paired::partner(lsb), msb);
}

TEST(PairedPages, order_of_types_begins_as_published) {
  const std::string published = "LLLLMMLLMMLLMMLL";
  for (std::uint32_t page = 0; page < published.size(); ++page) {
    EXPECT_EQ(paired::is_lsb(page), published[page] == 'L') << page;
  }
}

TEST(PairedPages, nth_lsb_page_enumerates_them_in_order) {
  std::uint32_t n = 0;
  for (std::uint32_t page = 0; page < kMlcPagesPerSegment; ++page) {
    if (!paired::is_lsb(page)) continue;
    EXPECT_EQ(paired::lsb_page(n), page);
    ++n;
  }
}

}  // namespace
}  // namespace ftlab::hw::flexonenand
