// What segments hold, and the luck they are made with.
#include "hw/onenand/array/cell_array.h"

#include <gtest/gtest.h>

#include "common/toml/toml_file.h"
#include "hw/onenand/array/buffer_ram.h"

namespace ftlab::hw {
namespace {

OneNandSpec part(const std::string& name = "flexonenand-4gb") {
  auto file = spec::TomlFile::load(std::string(FTLAB_PART_DIR) + "/" + name + ".toml");
  return load_onenand_spec(file);
}

PageBytes filled(std::byte value) {
  PageBytes page;
  page.main.fill(value);
  page.spare.fill(value);
  return page;
}

TEST(CellArrayTest, stores_pages_and_blanks_segments) {
  CellArray cells(part(), 1, true);
  const PageBytes in = filled(std::byte{0x5A});
  cells.store(7, 3, page_flag::kProgrammed, Ticks{5}, in.main, in.spare);
  PageBytes out;
  cells.read(7, 3, out.main, out.spare);
  EXPECT_EQ(out.main, in.main);
  EXPECT_EQ(out.spare, in.spare);
  EXPECT_EQ(cells.at(7).next_page, 4);
  cells.read(7, 2, out.main, out.spare);
  EXPECT_EQ(out.main, filled(std::byte{0xFF}).main);
  cells.blank(7);
  cells.read(7, 3, out.main, out.spare);
  EXPECT_EQ(out.spare, filled(std::byte{0xFF}).spare);
  EXPECT_EQ(cells.at(7).next_page, 0);
}

TEST(CellArrayTest, blanking_a_segment_leaves_pages_copied_from_it) {
  CellArray cells(part(), 1, true);
  const PageBytes in = filled(std::byte{0x5A});
  cells.store(7, 3, page_flag::kProgrammed, Ticks{5}, in.main, in.spare);
  cells.store(8, 0, page_flag::kProgrammed, Ticks{6}, cells.main_of(7, 3), in.spare);
  cells.blank(7);
  cells.store(7, 0, page_flag::kProgrammed, Ticks{7}, filled(std::byte{0x11}).main, in.spare);
  PageBytes out;
  cells.read(8, 0, out.main, out.spare);
  EXPECT_EQ(out.main, in.main);
}

TEST(CellArrayTest, without_content_spare_areas_and_special_segments_are_kept) {
  CellArray cells(part(), 1, false);
  const PageBytes in = filled(std::byte{0x5A});
  cells.store(7, 0, page_flag::kProgrammed, Ticks{5}, in.main, in.spare);
  cells.store(cells.otp_segment(0), 1, page_flag::kProgrammed, Ticks{5}, in.main, in.spare);
  PageBytes out;
  cells.read(7, 0, out.main, out.spare);
  EXPECT_EQ(out.main, filled(std::byte{0}).main);
  EXPECT_EQ(out.spare, in.spare);
  cells.read(cells.otp_segment(0), 1, out.main, out.spare);
  EXPECT_EQ(out.main, in.main);
}

TEST(CellArrayTest, luck_of_a_segment_does_not_depend_on_the_number_of_dies) {
  const CellArray one(part("flexonenand-4gb"), 3, false);
  const CellArray two(part("flexonenand-8gb-ddp"), 3, false);
  int differ = 0;
  for (std::uint32_t segment = 0; segment < 1024; ++segment) {
    EXPECT_EQ(one.at(segment).limit, two.at(segment).limit);
    EXPECT_EQ(one.at(segment).bad, two.at(segment).bad);
    differ += two.at(segment).limit != two.at(1024 + segment).limit ? 1 : 0;
  }
  EXPECT_GT(differ, 1000) << "dies have their own luck";
}

TEST(CellArrayTest, bad_and_weak_segments_stay_in_the_reserve) {
  auto file = spec::TomlFile::load(FTLAB_PART_DIR "/flexonenand-4gb.toml");
  file.set("bad_segments.initial_share", "0.3", "test");
  file.set("bad_segments.weak_share", "0.3", "test");
  const CellArray cells(load_onenand_spec(file), 3, false);
  std::uint32_t hit = 0;
  for (std::uint32_t segment = 0; segment < 1024; ++segment) {
    hit += cells.at(segment).bad || cells.at(segment).limit < 10'000 ? 1 : 0;
  }
  EXPECT_EQ(hit, 26U);
  EXPECT_FALSE(cells.at(0).bad);
}

}  // namespace
}  // namespace ftlab::hw
