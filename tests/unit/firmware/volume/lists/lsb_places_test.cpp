// Which places of a segment are left where only LSB pages are programmed.
#include "firmware/volume/lists/lsb_places.h"

#include <gtest/gtest.h>

#include <vector>

namespace ftlab::volume {
namespace {

/// Units 0, 1, 3 and 5 of eight are LSB units, as pairs lie in a Flex-OneNAND.
FlashGeometry eight_units(std::uint32_t pages_at_once) {
  FlashGeometry geometry;
  geometry.pages_per_segment = 8 * pages_at_once;
  geometry.pages_at_once = pages_at_once;
  geometry.lsb_units[0] = 0b101011;
  return geometry;
}

std::vector<std::uint32_t> all(const LsbPlaces& places) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t place = places.from(0); place < places.end(); place = places.from(place + 1))
    found.push_back(place);
  return found;
}

TEST(LsbPlaces, are_those_of_the_lsb_pages) {
  const FlashGeometry geometry = eight_units(1);
  const LsbPlaces places(geometry);
  EXPECT_EQ(all(places), (std::vector<std::uint32_t>{0, 1, 3, 5}));
  EXPECT_EQ(places.pages(), 4U);
  EXPECT_EQ(places.last(), 5U);
  EXPECT_EQ(places.from(6), places.end());
  EXPECT_EQ(places.unit_before(3), 1U);
  EXPECT_EQ(places.left(2), 2U);
}

TEST(LsbPlaces, keep_program_units_of_several_pages_whole) {
  const FlashGeometry geometry = eight_units(2);
  const LsbPlaces places(geometry);
  EXPECT_EQ(all(places), (std::vector<std::uint32_t>{0, 1, 2, 3, 6, 7, 10, 11}));
  EXPECT_EQ(places.last(), 11U);
  EXPECT_EQ(places.unit_before(7), 3U);
  EXPECT_EQ(places.left(7), 3U);
}

TEST(LsbPlaces, are_the_first_of_so_many_units_in_segments_of_any_length) {
  FlashGeometry geometry;
  geometry.pages_per_segment = 2 * 1000;
  geometry.pages_at_once = 2;
  geometry.lsb_every = 3;
  const LsbPlaces places(geometry);
  EXPECT_EQ(places.pages(), 2U * 334);
  EXPECT_EQ(places.last(), 1999U);
  EXPECT_EQ(places.from(2), 6U);
  EXPECT_EQ(places.unit_before(1998), 1992U);
}

TEST(LsbPlaces, are_none_where_no_page_shares_its_cells) {
  FlashGeometry geometry;
  geometry.pages_per_segment = 8;
  const LsbPlaces places(geometry);
  EXPECT_EQ(places.pages(), 0U);
  EXPECT_EQ(places.left(0), 0U);
}

}  // namespace
}  // namespace ftlab::volume
