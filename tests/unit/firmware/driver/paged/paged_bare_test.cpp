// A part served for a layer that keeps nothing beside its pages and goes on in no segment of an earlier session: bare
// pages on NOR, no notes on NAND.
#include <gtest/gtest.h>

#include <array>

#include "tests/fixtures/emulated_flash.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/unit/firmware/driver/paged/served_part.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kPageBytes = 64;
constexpr std::uint32_t kPages = 8;

PagedFlashConfig bare(std::uint32_t page_bytes) {
  PagedFlashConfig config{.page_bytes = page_bytes, .buffers = 4};
  config.bare = true;
  config.resumes = false;
  return config;
}

EmulatedFlashOptions nor_part() {
  EmulatedFlashOptions options;
  options.geometry.segments = 4;
  options.geometry.segment_bytes = kPages * kPageBytes;
  options.geometry.program_unit_bytes = 2;
  return options;
}

TEST(PagedBare, pages_fill_the_segment_and_are_programmed_in_any_order) {
  EmulatedFlash nor(nor_part());
  ServedPart served(nor, bare(kPageBytes));
  const FlashGeometry& geometry = served.port.geometry();
  EXPECT_EQ(geometry.pages_per_segment, kPages);
  EXPECT_TRUE(geometry.any_order);
  EXPECT_FALSE(geometry.keeps_metadata);
  EXPECT_EQ(geometry.usable_per_die() * geometry.dies, 4U);
  for (const std::uint32_t page : {5U, 0U, 7U}) EXPECT_EQ(served.program(kPages + page, 0x30 + page), FlashStatus::ok);
  EXPECT_EQ(nor.programs(), 3U) << "one for each page";
  for (const std::uint32_t page : {5U, 0U, 7U})
    EXPECT_EQ(nor.bytes(1)[page * kPageBytes + 3], static_cast<std::byte>(0x30 + page));
  EXPECT_EQ(nor.bytes(1)[1 * kPageBytes], std::byte{0xFF});
}

TEST(PagedBare, a_part_of_a_page_is_read_alone) {
  EmulatedFlash nor(nor_part());
  ServedPart served(nor, bare(kPageBytes));
  ASSERT_EQ(served.program(2, 0x11), FlashStatus::ok);
  const std::array<std::byte, kPageBytes> before{};
  served.port.write_buffer(1, 0, before);
  const FlashDone done =
      served.run({.kind = FlashOpKind::read, .page = 2, .buffer = 1, .metadata = FlashOp::bytes_wanted(10, 3)});
  EXPECT_EQ(done.status, FlashStatus::ok);
  EXPECT_EQ(done.metadata.low & done.metadata.high, ~0ULL) << "there are none";
  EXPECT_EQ(nor.reads(), 1U);
  std::array<std::byte, 5> bytes{};
  served.port.read_buffer(1, 9, bytes);
  EXPECT_EQ(bytes, (std::array{std::byte{0}, std::byte{0x11}, std::byte{0x11}, std::byte{0x11}, std::byte{0}}));
}

TEST(PagedBare, a_blank_page_of_an_earlier_session_stays_as_it_is) {
  EmulatedFlash nor(nor_part());
  ASSERT_EQ(ServedPart(nor, bare(kPageBytes)).program(0, 0x11), FlashStatus::ok);
  nor.power_cycle();
  ServedPart served(nor, bare(kPageBytes));
  const std::uint64_t programs = nor.programs();
  for (std::uint32_t page = 0; page < kPages; ++page) EXPECT_EQ(served.metadata(page).status, FlashStatus::ok);
  EXPECT_EQ(nor.programs(), programs);
  EXPECT_EQ(served.program(1, 0x22), FlashStatus::ok);
}

TEST(PagedBare, only_who_asks_learns_that_a_segment_takes_no_marker) {
  EmulatedFlash nor(nor_part());
  ServedPart served(nor, bare(kPageBytes));
  EXPECT_EQ(served.run(FlashOpKind::check_bad, 0), FlashStatus::ok);
  EXPECT_EQ(served.run(FlashOpKind::mark_bad, 0), FlashStatus::program_failed);
  const FlashOp unasked{.kind = FlashOpKind::mark_bad, .page = kPages};
  served.port.submit({&unasked, 1});
  FlashDone done;
  EXPECT_EQ(served.port.collect({&done, 1}), 0U);
  EXPECT_EQ(nor.reads() + nor.programs(), 0U) << "the part is not asked";
  EXPECT_EQ(served.program(0, 0x11), FlashStatus::program_failed) << "marked, as far as this session knows";
}

TEST(PagedBare, who_asks_learns_whether_nand_takes_a_marker) {
  for (const bool takes : {false, true}) {
    EmulatedNandOptions options;
    options.marks_on_failed = takes;
    EmulatedNand nand(options);
    ServedPart served(nand, bare(0));
    nand.refuse(5);
    EXPECT_EQ(served.run(FlashOpKind::mark_bad, 5), takes ? FlashStatus::ok : FlashStatus::program_failed);
    EXPECT_EQ(nand.is_bad(5), takes);
  }
}

TEST(PagedBare, nand_that_resumes_nothing_has_no_notes_and_programs_only_what_it_has_erased) {
  EmulatedNandOptions options;
  options.slc_segments_per_unit = 0;
  EmulatedNand nand(options);
  {
    ServedPart served(nand, bare(0));
    const FlashGeometry& geometry = served.port.geometry();
    EXPECT_EQ(geometry.usable_per_die() * geometry.dies, options.segments);
    EXPECT_FALSE(geometry.any_order);
    ASSERT_EQ(served.erase(0), FlashStatus::ok);
    EXPECT_EQ(served.program(0, 0x11), FlashStatus::ok);
  }
  nand.power_cycle();
  ServedPart served(nand, bare(0));
  const std::uint64_t changes = nand.changes();
  EXPECT_EQ(served.program(1, 0x22), FlashStatus::program_failed);
  EXPECT_EQ(nand.changes(), changes);
  ASSERT_EQ(served.erase(0), FlashStatus::ok);
  EXPECT_EQ(served.program(0, 0x22), FlashStatus::ok);
}

TEST(PagedBare, refuses_what_it_cannot_serve) {
  EmulatedFlash nor(nor_part());
  EXPECT_STREQ(PagedFlash::check(nor, bare(96)), "bare pages of this size do not fill a segment");
  PagedFlashConfig checked = bare(kPageBytes);
  checked.data_checksum = true;
  EXPECT_STREQ(PagedFlash::check(nor, checked),
               "data_checksum is kept beside a page, where bare pages have nothing; leave it off");
}

}  // namespace
}  // namespace ftlab::tests
