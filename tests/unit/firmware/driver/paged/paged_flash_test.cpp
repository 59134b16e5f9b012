// A part with a PartPort served as an array: what each kind of part makes of descriptors.
#include "firmware/driver/paged/paged_flash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tests/fixtures/emulated_flash.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/unit/firmware/driver/paged/served_part.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kPageBytes = 64;
constexpr std::uint32_t kPages = 8;
constexpr std::uint32_t kTagBytes = 24;
constexpr std::uint32_t kBadRecordBytes = 16;

EmulatedFlashOptions nor_part() {
  EmulatedFlashOptions options;
  options.geometry.segments = 4;
  options.geometry.segment_bytes = kBadRecordBytes + kPages * (kPageBytes + kTagBytes);
  options.geometry.program_unit_bytes = 2;
  return options;
}

struct Served : ServedPart {
  explicit Served(PartPort& part, bool data_checksum = false)
      : ServedPart(part, {.page_bytes = kPageBytes, .buffers = 4, .data_checksum = data_checksum}) {}
};

EmulatedNandOptions nand_part() {
  EmulatedNandOptions options;
  options.pages = kPages;
  options.page_bytes = kPageBytes;
  return options;
}

void write_and_copy(PartPort& part, std::uint32_t segment) {
  Served served(part);
  const std::uint32_t page = segment * kPages;
  const std::uint32_t target = page + kPages;
  ASSERT_EQ(served.erase(segment), FlashStatus::ok);
  ASSERT_EQ(served.erase(segment + 1), FlashStatus::ok);
  ASSERT_EQ(served.program(page, 7), FlashStatus::ok);
  EXPECT_EQ(served.copy(page, target).status, FlashStatus::ok);
  const FlashDone read = served.read(target);
  EXPECT_EQ(read.metadata.low, 7U);
  EXPECT_EQ(read.metadata.high, 300U);
  std::array<std::byte, 3> bytes{};
  served.port.read_buffer(1, 5, bytes);
  EXPECT_EQ(bytes, (std::array{std::byte{7}, std::byte{7}, std::byte{7}}));
}

TEST(PagedFlash, keeps_metadata_beside_pages_and_copies_with_new_ones) {
  EmulatedFlash nor(nor_part());
  write_and_copy(nor, 0);
  EmulatedNand nand(nand_part());
  write_and_copy(nand, 3);
}

TEST(PagedFlash, a_copy_of_what_cannot_be_read_says_so_wherever_it_goes) {
  EmulatedNand nand(nand_part());
  Served served(nand);
  ASSERT_EQ(served.erase(3), FlashStatus::ok);
  ASSERT_EQ(served.erase(4), FlashStatus::ok);
  ASSERT_EQ(served.program(3 * kPages, 7), FlashStatus::ok);
  nand.lose_page(3, 0);
  EXPECT_EQ(served.copy(3 * kPages, 4 * kPages).status, FlashStatus::uncorrectable);
  const FlashDone read = served.read(4 * kPages);
  EXPECT_EQ(read.status, FlashStatus::uncorrectable);
  EXPECT_EQ(read.metadata.low, 7U) << "whose page it was is known";
}

TEST(PagedFlash, nor_data_that_does_not_fit_its_checksum_is_lost_wherever_it_is_copied) {
  EmulatedFlash nor(nor_part());
  Served served(nor, true);
  const std::uint32_t pages = served.port.geometry().pages_per_segment;
  ASSERT_EQ(pages, kPages - 1) << "the checksums take room";
  for (const std::uint32_t segment : {0U, 1U}) ASSERT_EQ(served.erase(segment), FlashStatus::ok);
  ASSERT_EQ(served.program(0, 7), FlashStatus::ok);
  ASSERT_EQ(served.program(1, 8), FlashStatus::ok);
  EXPECT_EQ(served.read(0).status, FlashStatus::ok);
  nor.bytes(0)[nor.geometry().segment_bytes - pages * kPageBytes + 9] ^= std::byte{4};
  EXPECT_EQ(served.read(0).status, FlashStatus::uncorrectable);
  EXPECT_EQ(served.metadata(0).status, FlashStatus::ok) << "metadata alone have a check of their own";
  EXPECT_EQ(served.copy(0, pages).status, FlashStatus::uncorrectable);
  EXPECT_EQ(served.read(pages).status, FlashStatus::uncorrectable);
  EXPECT_EQ(served.read(1).status, FlashStatus::ok);
}

TEST(PagedFlash, a_tag_whose_data_checksum_was_not_programmed_does_not_count) {
  EmulatedFlash nor(nor_part());
  {
    Served served(nor, true);
    ASSERT_EQ(served.erase(0), FlashStatus::ok);
    ASSERT_EQ(served.program(0, 7), FlashStatus::ok);
  }
  std::fill_n(nor.bytes(0) + kBadRecordBytes + kTagBytes, 4, std::byte{0xFF});
  Served served(nor, true);
  EXPECT_EQ(served.metadata(0).status, FlashStatus::uncorrectable);
}

TEST(PagedFlash, checksums_of_data_are_refused_on_nand) {
  EmulatedNand nand(small_nand());
  const char* reason = PagedFlash::check(nand, {.data_checksum = true});
  ASSERT_NE(reason, nullptr);
  EXPECT_NE(std::string_view(reason).find("leave it off"), std::string_view::npos);
}

TEST(PagedFlash, a_segment_that_is_bad_stays_so) {
  EmulatedFlash nor(nor_part());
  {
    Served served(nor);
    ASSERT_EQ(served.erase(2), FlashStatus::ok);
    EXPECT_EQ(served.run(FlashOpKind::check_bad, 2), FlashStatus::ok);
    EXPECT_EQ(served.run(FlashOpKind::mark_bad, 2), FlashStatus::ok);
    EXPECT_EQ(served.program(2 * kPages, 1), FlashStatus::program_failed);
  }
  Served next(nor);
  EXPECT_EQ(next.run(FlashOpKind::check_bad, 2), FlashStatus::bad_segment);
  EXPECT_EQ(next.run(FlashOpKind::check_bad, 1), FlashStatus::ok);
}

/// A cleared bit of a tag of segment 1 reads as set half of the time.
EmulatedFlash::Image with_unstable_bit(const EmulatedFlash& nor, std::uint32_t at) {
  EmulatedFlash::Image image = nor.snapshot();
  EmulatedFlash::Segment& segment = *image.segments[1];
  segment.unstable.resize(segment.data.size());
  segment.unstable[at] = std::byte{0x10};
  return image;
}

TEST(PagedFlash, bits_of_the_last_tag_that_read_as_they_like_are_cleared_for_good) {
  for (const std::uint32_t last : {2U, kPages - 1}) {
    EmulatedFlash nor(nor_part());
    {
      Served served(nor);
      ASSERT_EQ(served.erase(1), FlashStatus::ok);
      for (std::uint32_t i = 0; i <= last; ++i) ASSERT_EQ(served.program(kPages + i, i), FlashStatus::ok);
    }
    const std::uint32_t at = kBadRecordBytes + last * kTagBytes + 1;
    nor.restore(with_unstable_bit(nor, at));
    bool intact = false;
    for (int session = 0; session < 20 && !intact; ++session) {
      Served next(nor);
      std::vector<FlashDone> found;
      for (std::uint32_t i = 0; i < kPages; ++i) found.push_back(next.metadata(kPages + i));
      intact = found[last].metadata.low == last;
    }
    ASSERT_TRUE(intact);
    EXPECT_EQ(nor.snapshot().segments[1]->unstable[at], std::byte{0}) << "page " << last;
  }
}

TEST(PagedFlash, the_first_blank_page_behind_others_of_an_earlier_session_is_used_up) {
  EmulatedFlash nor(nor_part());
  {
    Served served(nor);
    ASSERT_EQ(served.erase(1), FlashStatus::ok);
    ASSERT_EQ(served.program(kPages, 5), FlashStatus::ok);
    EXPECT_EQ(served.metadata(kPages + 1).status, FlashStatus::ok) << "this session has erased it";
  }
  for (int session = 0; session < 2; ++session) {
    Served next(nor);
    EXPECT_EQ(next.metadata(kPages).metadata.low, 5U);
    EXPECT_EQ(next.metadata(kPages + 1).status, FlashStatus::uncorrectable);
    if (session == 1) break;
    EXPECT_EQ(next.metadata(kPages + 2).status, FlashStatus::ok);
    EXPECT_EQ(next.program(kPages + 2, 6), FlashStatus::ok);
  }
}

TEST(PagedFlash, segments_that_are_read_by_turns_are_judged_each_by_itself) {
  EmulatedFlash nor(nor_part());
  {
    Served served(nor);
    for (const std::uint32_t segment : {1U, 2U}) {
      ASSERT_EQ(served.erase(segment), FlashStatus::ok);
      ASSERT_EQ(served.program(segment * kPages, segment), FlashStatus::ok);
    }
  }
  const std::uint32_t at = kBadRecordBytes + 1;
  const EmulatedFlash::Image image = with_unstable_bit(nor, at);
  bool intact = false;
  for (int session = 0; session < 20 && !intact; ++session) {
    nor.restore(image);
    Served next(nor);
    for (std::uint32_t i = 0; i < 3; ++i) {
      for (const std::uint32_t id : {1U, 2U}) {
        const FlashDone done = next.metadata(id * kPages + i);
        if (i == 0 && id == 1) intact = done.metadata.low == id;
        EXPECT_EQ(done.status == FlashStatus::uncorrectable, i == 1 || (i == 0 && id == 1 && !intact))
            << id << ", page " << i;
      }
    }
  }
  ASSERT_TRUE(intact);
  EXPECT_EQ(nor.snapshot().segments[1]->unstable[at], std::byte{0});
}

TEST(PagedFlash, a_blank_page_that_cannot_be_used_up_lets_none_be_programmed_behind_it) {
  EmulatedFlash nor(nor_part());
  {
    Served served(nor);
    ASSERT_EQ(served.erase(1), FlashStatus::ok);
    ASSERT_EQ(served.program(kPages, 5), FlashStatus::ok);
  }
  Served next(nor);
  EXPECT_EQ(next.metadata(kPages).metadata.low, 5U);
  nor.fail_at(1, 1);
  EXPECT_EQ(next.metadata(kPages + 1).status, FlashStatus::uncorrectable);
  ASSERT_TRUE(nor.has_failed(1));
  EXPECT_EQ(next.program(kPages + 2, 6), FlashStatus::program_failed) << "the session after the next finds it blank";
  EXPECT_EQ(next.erase(1), FlashStatus::ok);
  EXPECT_EQ(next.program(kPages, 7), FlashStatus::ok);
}

TEST(PagedFlash, notes_of_what_is_resumed_take_the_next_segment_where_one_of_theirs_is_bad) {
  constexpr std::uint32_t kManyPages = 24;  // a note is nine of them long, and an SLC segment has half
  EmulatedNandOptions options = nand_part();
  options.pages = kManyPages;
  EmulatedNand nand(options);
  nand.mark_initial_bad(1);
  {
    Served served(nand);
    EXPECT_EQ(served.run(FlashOpKind::check_bad, 2), FlashStatus::bad_segment);
    ASSERT_EQ(served.erase(3), FlashStatus::ok);
    ASSERT_EQ(served.program(3 * kManyPages, 5), FlashStatus::ok);
  }
  for (std::uint32_t session = 1; session < 4; ++session) {
    Served next(nand);
    const std::uint32_t used_up = 3 * kManyPages + 2 * session - 1;
    EXPECT_EQ(next.metadata(used_up - 1).metadata.low, 4U + session);
    EXPECT_EQ(next.metadata(used_up).status, FlashStatus::uncorrectable);
    EXPECT_EQ(next.metadata(used_up + 1).status, FlashStatus::ok) << "blank";
    EXPECT_EQ(next.program(used_up + 1, 5 + session), FlashStatus::ok);
  }
}

TEST(PagedFlash, refuses_what_it_cannot_serve) {
  EmulatedFlash nor(nor_part());
  EXPECT_STREQ(PagedFlash::check(nor, {}), "pages of this size do not suit the part's segments");
  EmulatedFlashOptions rigid = nor_part();
  rigid.capabilities.in_place_clear = false;
  EXPECT_STREQ(PagedFlash::check(EmulatedFlash(rigid), {.page_bytes = kPageBytes}),
               "neither spare bytes nor bits that can be cleared in place");
  const EmulatedNand nand(small_nand());
  EXPECT_STREQ(PagedFlash::check(nand, {.page_bytes = 384}), "pages of this size do not divide a page of the part");
  EXPECT_STREQ(PagedFlash::check(nand, {.page_bytes = 32}),
               "a page of the part holds 1, 2, 4 or 8 pages of the volume");
  EXPECT_STREQ(PagedFlash::check(nand, {.page_bytes = 128}),
               "a page of the part has too few spare bytes for pages this small, 12 for each and 8 more");
  EXPECT_EQ(PagedFlash::check(nand, {.page_bytes = 256}), nullptr);
  EmulatedNandOptions large;
  large.segments = 1U << 20;
  large.store_content = false;
  EXPECT_STREQ(PagedFlash::check(EmulatedNand(large), {.page_bytes = 256}),
               "more than 2^24 - 1 pages where several share a page of the part: use larger ones");
}

}  // namespace
}  // namespace ftlab::tests
