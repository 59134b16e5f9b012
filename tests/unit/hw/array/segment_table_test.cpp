// Where segments and pages are: against plain divisions.
#include "hw/array/array/segment_table.h"

#include <gtest/gtest.h>

#include <random>

namespace ftlab::hw::array {
namespace {

ArraySpec spec_of(std::uint32_t segments, std::uint32_t pages) {
  ArraySpec spec;
  spec.channels = 2;
  spec.dies_per_channel = 2;
  spec.planes = 2;
  spec.segments = segments;
  spec.pages_per_segment = pages;
  return spec;
}

TEST(SegmentTable, locates_pages_as_a_division_does) {
  std::mt19937 random(1);
  for (const std::uint32_t pages : {1U, 2U, 3U, 7U, 64U, 100U, 192U, 256U, 65535U}) {
    const std::uint32_t segments = 0xFFFF'FFFF / pages / 8 > 4096 ? 4096 : 0xFFFF'FFFF / pages / 8 * 8;
    const SegmentTable table(spec_of(segments, pages));
    const std::uint32_t all = segments * pages;
    EXPECT_EQ(table.pages(), all);
    for (int i = 0; i < 20'000; ++i) {
      const std::uint32_t page = i < 1000 ? static_cast<std::uint32_t>(i) % all : random() % all;
      const PageAddress at = table.locate(page);
      ASSERT_EQ(at.segment, page / pages) << page << " of " << pages;
      ASSERT_EQ(at.page, page % pages);
    }
    EXPECT_EQ(table.segment_of(all - 1), segments - 1);
  }
}

TEST(SegmentTable, dies_hold_consecutive_segments_and_planes_take_turns) {
  const SegmentTable table(spec_of(64, 8));
  EXPECT_EQ(table[0].die, 0);
  EXPECT_EQ(table[15].die, 0);
  EXPECT_EQ(table[16].die, 1);
  EXPECT_EQ(table[63].die, 3);
  EXPECT_EQ(table[0].plane, 0);
  EXPECT_EQ(table[1].plane, 1);
  EXPECT_EQ(table[2].plane, 0);
}

}  // namespace
}  // namespace ftlab::hw::array
