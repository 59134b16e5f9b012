// Slots, summaries, refresh marks.
#include "firmware/volume/nand/page_io.h"

#include <gtest/gtest.h>

#include "tests/unit/firmware/volume/nand/store_fixture.h"

namespace ftlab::tests {
namespace {

using namespace nand;

TEST(NandStoreSlots, of_the_real_part_follow_its_pairs) {
  EmulatedNandOptions part;
  part.pages = 128;
  part.page_bytes = 4096;
  part.segments = 4;
  EmulatedNand flash(part);
  StoreSession session(flash);
  EXPECT_EQ(PageIo::check(flash.geometry()), nullptr);
  EXPECT_EQ(session.store.pages(PageMode::full), 128U);
  EXPECT_EQ(session.store.pages(PageMode::lsb_only), 64U);
  EXPECT_EQ(session.store.slots(PageMode::full), 127U);
  // LSB pages: 0, 1 and all n in 2..123 with n mod 4 = 2 or 3.
  const std::vector<std::uint32_t> first = {0, 1, 2, 3, 6, 7, 10, 11};
  for (std::uint32_t slot = 0; slot < first.size(); ++slot)
    EXPECT_EQ(session.store.page_of(2, PageMode::lsb_only, slot), first[slot]);
  EXPECT_EQ(session.store.page_of(2, PageMode::lsb_only, 63), 123U);
  EXPECT_EQ(session.store.page_of(0, PageMode::lsb_only, 63), 63U) << "segment 0 numbers its LSB pages without gaps";
}

TEST(NandStoreCheck, refuses_parts_without_room_for_records) {
  FlashGeometry g = EmulatedNand({}).geometry();
  g.spare_bytes = 16;
  EXPECT_NE(PageIo::check(g), nullptr);
  g.spare_bytes = 32;
  g.segment_bytes = 32 * g.program_unit_bytes;
  g.paired_page = {};
  EXPECT_NE(PageIo::check(g), nullptr) << "no summary of 31 pages in 512 bytes";
  g.segment_bytes = 16 * g.program_unit_bytes;
  EXPECT_EQ(PageIo::check(g), nullptr);
  g.program_unit_bytes = 16384;
  for (const std::uint32_t pages : {256U, 257U}) {
    g.segment_bytes = pages * g.program_unit_bytes;
    EXPECT_EQ(PageIo::check(g) == nullptr, pages == 256) << pages;
  }
}

TEST(NandStoreSummary, holds_the_records_of_the_segment_in_both_modes) {
  for (const PageMode mode : {PageMode::full, PageMode::lsb_only}) {
    EmulatedNand flash({});
    StoreSession session(flash);
    const std::uint32_t slots = session.store.slots(mode);
    ASSERT_TRUE(session.store.open(5, mode, 40, 99));
    for (std::uint32_t slot = 0; slot < slots; ++slot)
      if (slot != 2) {
        ASSERT_TRUE(session.put(5, slot, 10 + slot, 41 + slot).ok());
      }
    ASSERT_TRUE(session.store.seal(5).ok());
    PageIo::FoundPage found;
    ASSERT_TRUE(session.store.read_summary(5, mode, found));
    EXPECT_EQ(session.store.summary_head().opened_sequence, 40U);
    EXPECT_EQ(session.store.summary_head().opened_stamp, 99U);
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      PageMetadata metadata;
      ASSERT_EQ(session.store.summary_entry(slot, metadata), slot != 2) << slot;
      if (slot == 2) continue;
      EXPECT_EQ(metadata.lpn, 10 + slot);
      EXPECT_EQ(metadata.sequence, 41 + slot);
    }
    EXPECT_FALSE(session.store.read_summary(5, mode == PageMode::full ? PageMode::lsb_only : PageMode::full, found));
  }
}

TEST(NandStoreSummary, with_one_damaged_record_does_not_count) {
  EmulatedNand flash({});
  StoreSession session(flash);
  const std::uint32_t slots = session.store.slots(PageMode::full);
  ASSERT_TRUE(session.store.open(5, PageMode::full, 40, 99));
  for (std::uint32_t slot = 0; slot < slots; ++slot) ASSERT_TRUE(session.put(5, slot, slot, 41 + slot).ok());
  ASSERT_TRUE(session.store.seal(5).ok());
  const std::uint32_t page = session.store.page_of(5, PageMode::full, slots);
  PageIo::FoundPage found;
  for (const std::size_t at : {sizeof(SummaryHead), sizeof(SummaryHead) + slots * sizeof(OobTag) - 1}) {
    std::byte& damaged = flash.edit(5).data[page * session.store.page_bytes() + at];
    damaged ^= std::byte{1};
    EXPECT_FALSE(session.store.read_summary(5, PageMode::full, found)) << at;
    flash.edit(5).data[page * session.store.page_bytes() + at] ^= std::byte{1};
  }
  EXPECT_TRUE(session.store.read_summary(5, PageMode::full, found));
}

TEST(NandStoreSummary, buffers_are_released_by_seal_drop_and_erase) {
  EmulatedNand flash({});
  StoreSession session(flash, 100, 2);
  ASSERT_TRUE(session.store.open(4, PageMode::full, 1, 1));
  ASSERT_TRUE(session.store.open(5, PageMode::full, 2, 1));
  EXPECT_FALSE(session.store.open(6, PageMode::full, 3, 1));
  ASSERT_TRUE(session.store.seal(4).ok());
  ASSERT_TRUE(session.store.open(6, PageMode::full, 3, 1));
  session.store.drop(5);
  ASSERT_TRUE(session.store.open(7, PageMode::full, 3, 1));
  EXPECT_EQ(session.store.erase(7), FlashStatus::ok);
  EXPECT_TRUE(session.store.open(8, PageMode::full, 3, 1));
}

TEST(NandStoreSummary, of_a_segment_closed_early_is_programmed_only_when_a_checkpoint_has_it_as_sealed) {
  for (const bool recorded : {false, true}) {
    EmulatedNand flash({});
    StoreSession session(flash);
    ASSERT_TRUE(session.store.open(4, PageMode::full, 1, 1));
    ASSERT_TRUE(session.put(4, 0, 7, 2).ok());
    ASSERT_TRUE(session.store.seal(4, recorded).ok());
    EXPECT_FALSE(session.store.is_open(4));
    PageIo::FoundPage found;
    EXPECT_EQ(session.store.read_summary(4, PageMode::full, found), recorded);
  }
}

TEST(NandStorePages, in_lsb_mode_leave_the_pages_between_erased) {
  EmulatedNand flash({});
  StoreSession session(flash);
  ASSERT_TRUE(session.store.open(5, PageMode::lsb_only, 1, 1));
  for (std::uint32_t slot = 0; slot < 5; ++slot) ASSERT_TRUE(session.put(5, slot, slot, 2 + slot, 50).ok());
  const EmulatedNand::PageState blank = EmulatedNand::PageState::blank;
  for (const std::uint32_t page : {4U, 5U}) EXPECT_EQ(flash.page_state(5, page), blank) << page;
  for (const std::uint32_t page : {0U, 1U, 2U, 3U, 6U}) EXPECT_NE(flash.page_state(5, page), blank) << page;
  std::byte got[4];
  ASSERT_TRUE(session.store.read(5, 4, got, 100).ok());
  EXPECT_EQ(got[3], std::byte{50});
}

TEST(NandStorePages, without_a_record_are_uncorrectable_and_not_erased_data) {
  EmulatedNand flash({});
  StoreSession session(flash);
  ASSERT_TRUE(session.store.open(5, PageMode::full, 1, 1));
  ASSERT_TRUE(session.put(5, 0, 7, 2, 0xFF).ok());
  std::byte got[64];
  EXPECT_TRUE(session.store.read(5, 0, got).ok()) << "the host wrote it";
  EXPECT_EQ(got[63], std::byte{0xFF});
  EXPECT_EQ(session.store.read(5, 1, got).status, FlashStatus::uncorrectable);
}

TEST(NandStorePages, name_the_page_before_them_when_it_was_programmed_just_before) {
  EmulatedNand flash({});
  StoreSession session(flash);
  ASSERT_TRUE(session.store.open(5, PageMode::full, 1, 1));
  ASSERT_TRUE(session.put(5, 0, 7, 2).ok());
  ASSERT_TRUE(session.put(5, 1, 8, 5).ok());
  ASSERT_TRUE(session.put(5, 2, 9, 500).ok());
  ASSERT_TRUE(session.put(5, 4, 10, 501).ok());
  const auto metadata = [&](std::uint32_t page) { return session.store.read_metadata(5, page).metadata; };
  EXPECT_EQ(metadata(0).before, kNoneBefore);
  EXPECT_EQ(metadata(1).before, 7U);
  EXPECT_EQ(metadata(1).distance, 3U);
  EXPECT_EQ(metadata(2).before, 8U);
  EXPECT_EQ(metadata(2).distance, 0U) << "too far to tell";
  EXPECT_EQ(metadata(4).before, kNoneBefore) << "a slot is left out";
}

TEST(NandStoreRefresh, is_asked_for_from_the_limits_on) {
  EmulatedNand flash({});
  StoreSession session(flash);
  ASSERT_TRUE(session.store.open(5, PageMode::full, 1, 1));
  ASSERT_TRUE(session.put(5, 0, 0, 2).ok());
  std::byte got[4];
  flash.wear_page(5, 0, 2);
  PageResult result = session.store.read(5, 0, got);
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.corrected_bits, 2);
  EXPECT_FALSE(result.needs_refresh);
  flash.wear_page(5, 0, 3);
  EXPECT_TRUE(session.store.read(5, 0, got).needs_refresh);
  flash.wear_page(5, 0, 0);
  for (std::uint32_t reads = 2; reads < 29'998; ++reads) (void)session.store.read(5, 0, got);
  EXPECT_FALSE(session.store.read(5, 0, got).needs_refresh);
  EXPECT_TRUE(session.store.read(5, 0, got).needs_refresh);
  EXPECT_EQ(session.store.erase(5), FlashStatus::ok);
  EXPECT_EQ(session.store.reads(5), 0U);
}

TEST(NandStorePages, power_loss_on_the_msb_page_leaves_the_lsb_page_to_the_recovery_read) {
  EmulatedNand flash({});
  StoreSession session(flash);
  ASSERT_TRUE(session.store.open(5, PageMode::full, 1, 1));
  for (std::uint32_t slot = 0; slot < 4; ++slot) ASSERT_TRUE(session.put(5, slot, slot, 2 + slot, 9).ok());
  flash.lose_power_at(1, TornWrite::half);
  EXPECT_EQ(session.put(5, 4, 4, 6).status, FlashStatus::timeout);
  flash.power_cycle();
  std::byte got[1];
  const PageResult result = session.store.read(5, 0, got);
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(got[0], std::byte{9});
  EXPECT_EQ(result.corrected_bits, kRecovered);
  EXPECT_TRUE(result.needs_refresh);
  EXPECT_FALSE(session.store.read(5, 1, got).needs_refresh);
  EXPECT_FALSE(session.store.read_metadata(5, 4).intact);
}

}  // namespace
}  // namespace ftlab::tests
