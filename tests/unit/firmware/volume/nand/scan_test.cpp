// What a mount finds, and how few pages it reads for it.
#include "firmware/volume/nand/scan.h"

#include <gtest/gtest.h>

#include "tests/unit/firmware/volume/nand/store_fixture.h"

namespace ftlab::tests {
namespace {

using namespace nand;

/// Scans with the newest checkpoint; everything found.
void scan(EmulatedNand& flash, Finds& finds) {
  StoreSession session(flash);
  EXPECT_EQ(session.checkpoints.load(), Checkpoints::Found::complete);
  EXPECT_EQ(Scan(session.store, session.checkpoints, session.probe).run(finds), FlashStatus::ok);
}

void first_checkpoint(StoreSession& session, ListedSource& source) {
  (void)session.checkpoints.load();
  session.store.set_volume(1);
  ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, 0, 0, source), FlashStatus::ok);
}

TEST(Scan, finds_sealed_open_and_free_segments_of_both_modes) {
  EmulatedNand flash({});
  StoreSession session(flash);
  ListedSource source;
  first_checkpoint(session, source);
  ASSERT_TRUE(session.store.open(5, PageMode::lsb_only, 1, 70));
  for (std::uint32_t slot = 0; slot < session.store.slots(PageMode::lsb_only); ++slot)
    ASSERT_TRUE(session.put(5, slot, slot, 2 + slot).ok());
  ASSERT_TRUE(session.store.seal(5).ok());
  ASSERT_TRUE(session.store.open(6, PageMode::full, 50, 80));
  for (std::uint32_t slot = 0; slot < 3; ++slot) ASSERT_TRUE(session.put(6, slot, 20 + slot, 51 + slot).ok());
  Finds finds;
  scan(flash, finds);
  ASSERT_EQ(finds.segments.size(), 24U);
  EXPECT_EQ(finds.segments[0].state, SegmentState::fixed);
  EXPECT_EQ(finds.segments[1].state, SegmentState::fixed);
  EXPECT_EQ(finds.segments[4].state, SegmentState::free);
  EXPECT_EQ(finds.segments[5].state, SegmentState::sealed);
  EXPECT_EQ(finds.segments[5].mode, PageMode::lsb_only);
  EXPECT_EQ(finds.segments[5].opened_stamp, 70U);
  EXPECT_EQ(finds.segments[6].state, SegmentState::open);
  EXPECT_EQ(finds.segments[6].used, 3U);
  EXPECT_EQ(finds.pages.size(), 7U + 3U);
  EXPECT_EQ(finds.pages.at({6, 2}).lpn, 22U);
}

TEST(Scan, passes_over_copies_of_pages_that_the_checkpoint_knows_as_trimmed) {
  EmulatedNand flash({});
  StoreSession session(flash);
  ListedSource source;
  first_checkpoint(session, source);
  ASSERT_TRUE(session.store.open(6, PageMode::full, 50, 80));
  ASSERT_TRUE(session.put(6, 0, 20, 51).ok());
  ASSERT_TRUE(session.put(6, 1, 21, 52).ok());
  source.mapped = {21};
  source.valid = {{6, 1}};
  source.rows[6].state = SegmentState::open;
  ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, 52, 0, source), FlashStatus::ok);
  ASSERT_TRUE(session.put(6, 2, 22, 53).ok());
  Finds finds;
  scan(flash, finds);
  EXPECT_FALSE(finds.pages.contains({6, 0}));
  EXPECT_TRUE(finds.pages.contains({6, 1}));
  EXPECT_TRUE(finds.pages.contains({6, 2}));
}

/// What a scan finds lost when a page cannot be read that the one behind it names. `recorded`: slots that the
/// checkpoint has as used.
std::map<std::uint32_t, std::uint64_t> lost_of_a_named_page(std::uint32_t recorded) {
  EmulatedNand flash({});
  StoreSession session(flash);
  ListedSource source;
  source.rows[6].state = SegmentState::open;
  source.rows[6].used = recorded;
  first_checkpoint(session, source);
  EXPECT_TRUE(session.store.open(6, PageMode::full, 1, 0));
  EXPECT_TRUE(session.put(6, 0, 1, 2).ok());
  EXPECT_TRUE(session.put(6, 1, 2, 3).ok());
  flash.lose_page(6, 0);
  Finds finds;
  scan(flash, finds);
  EXPECT_TRUE(finds.pages.contains({6, 1}));
  return finds.lost_pages;
}

TEST(Scan, names_an_unreadable_page_that_was_programmed_since_the_checkpoint) {
  EXPECT_TRUE(lost_of_a_named_page(0).contains(1));
  EXPECT_TRUE(lost_of_a_named_page(1).empty()) << "the checkpoint knows better";
}

TEST(Scan, counts_the_erase_that_took_everything_from_a_segment) {
  EmulatedNand flash({});
  StoreSession session(flash);
  ListedSource source;
  source.rows[6] = {9, 0, 0, SegmentState::sealed, PageMode::full, false};
  source.rows[7] = {4, 0, 0, SegmentState::free, PageMode::full, false};
  (void)session.checkpoints.load();
  session.store.set_volume(1);
  ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, 0, 0, source), FlashStatus::ok);
  Finds finds;
  scan(flash, finds);
  EXPECT_EQ(finds.segments[6].state, SegmentState::free);
  EXPECT_EQ(finds.segments[6].erase_count, 10U);
  EXPECT_EQ(finds.segments[7].erase_count, 4U);
}

TEST(Scan, of_noise_gives_a_free_segment) {
  EmulatedNand flash({});
  StoreSession session(flash);
  ListedSource source;
  first_checkpoint(session, source);
  flash.scramble(9);
  Finds finds;
  scan(flash, finds);
  EXPECT_EQ(finds.segments[9].state, SegmentState::free);
  EXPECT_TRUE(finds.pages.empty());
}

TEST(Scan, resumes_one_slot_later_and_the_summary_then_holds_all_records) {
  EmulatedNand flash({});
  {
    StoreSession session(flash);
    ListedSource source;
    first_checkpoint(session, source);
    ASSERT_TRUE(session.store.open(6, PageMode::full, 50, 80));
    for (std::uint32_t slot = 0; slot < 3; ++slot) ASSERT_TRUE(session.put(6, slot, 20 + slot, 51 + slot).ok());
  }
  {
    StoreSession session(flash);
    ASSERT_EQ(session.checkpoints.load(), Checkpoints::Found::complete);
    Finds finds;
    Scan again(session.store, session.checkpoints, session.probe);
    ASSERT_EQ(again.run(finds), FlashStatus::ok);
    EXPECT_EQ(again.sequence(), 53U);
    ASSERT_TRUE(again.resume(finds.segments[6]));
    for (std::uint32_t slot = 4; slot < 15; ++slot) ASSERT_TRUE(session.put(6, slot, 20 + slot, 60 + slot).ok());
    ASSERT_TRUE(session.store.seal(6).ok());
  }
  Finds finds;
  scan(flash, finds);
  EXPECT_EQ(finds.segments[6].state, SegmentState::sealed);
  EXPECT_EQ(finds.pages.size(), 14U);
  EXPECT_FALSE(finds.pages.contains({6, 3}));
  EXPECT_EQ(finds.pages.at({6, 1}).lpn, 21U);
}

TEST(Scan, leaves_out_one_slot_more_for_each_session_interrupted_at_the_start_of_its_first_program) {
  EmulatedNandOptions part;
  part.pages = 32;
  part.page_bytes = 1056;  // the records of a segment fit
  EmulatedNand flash(part);
  ListedSource source;
  {
    StoreSession session(flash);
    first_checkpoint(session, source);
    ASSERT_TRUE(session.store.open(6, PageMode::full, 50, 80));
    ASSERT_TRUE(session.put(6, 0, 20, 51).ok());
  }
  source.mapped = {20};
  source.valid = {{6, 0}};
  constexpr std::uint32_t kLosses = 20;
  for (std::uint32_t losses = 0; losses <= kLosses; ++losses) {
    StoreSession session(flash);
    ASSERT_EQ(session.checkpoints.load(), Checkpoints::Found::complete);
    Finds finds;
    Scan again(session.store, session.checkpoints, session.probe);
    ASSERT_EQ(again.run(finds), FlashStatus::ok);
    ASSERT_EQ(finds.segments[6].used, 1U) << "nothing shows of what was interrupted";
    EXPECT_EQ(finds.segments[6].attempted, 1 + losses);
    ASSERT_TRUE(again.resume(finds.segments[6]));
    EXPECT_EQ(session.store.used(6), 2 + losses);
    source.rows[6] = {0, 0, session.store.used(6), SegmentState::open, PageMode::full, false};
    ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, 51, 0, source), FlashStatus::ok);
    if (losses < kLosses) flash.lose_power_at(1, TornWrite::none);
    ASSERT_EQ(session.put(6, session.store.used(6), 21, 60).ok(), losses == kLosses);
    flash.power_cycle();
  }
  Finds finds;
  scan(flash, finds);
  EXPECT_TRUE(finds.pages.contains({6, 0}));
  EXPECT_TRUE(finds.pages.contains({6, 2 + kLosses})) << "behind a gap longer than any other";

  // A mount that does not go on with it closes it, and says so in its checkpoint.
  {
    StoreSession session(flash);
    ASSERT_EQ(session.checkpoints.load(), Checkpoints::Found::complete);
    source.mapped = {20, 21};
    source.valid = {{6, 0}, {6, 2 + kLosses}};
    source.rows[6] = {0, 0, 0, SegmentState::sealed, PageMode::full, false};
    ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, 60, 0, source), FlashStatus::ok);
  }
  flash.power_cycle();
  StoreSession session(flash);
  ASSERT_EQ(session.checkpoints.load(), Checkpoints::Found::complete);
  Finds later;
  Scan again(session.store, session.checkpoints, session.probe);
  ASSERT_EQ(again.run(later), FlashStatus::ok);
  EXPECT_TRUE(later.pages.contains({6, 2 + kLosses})) << "the checkpoint no longer says how far it was used";
  EXPECT_EQ(later.segments[6].attempted, session.store.slots(PageMode::full));
  EXPECT_FALSE(again.resume(later.segments[6])) << "any of its pages may be half way";
}

TEST(Scan, of_1024_segments_reads_about_one_page_of_each) {
  EmulatedNandOptions part;
  part.segments = 1024;
  part.pages = 128;
  part.page_bytes = 4096;
  EmulatedNand flash(part);
  constexpr std::uint32_t kPages = 100'000;
  ListedSource source;
  StoreSession session(flash, kPages);
  (void)session.checkpoints.load();
  session.store.set_volume(1);
  ASSERT_EQ(session.checkpoints.write(CheckpointKind::formatting, 0, 0, source), FlashStatus::ok);
  std::uint64_t sequence = 0;
  const std::vector<std::byte> data(4096);
  // 700 sealed segments, one being filled; a checkpoint before the last 64 openings, as an FTL writes it.
  for (std::uint32_t segment = 2; segment < 703; ++segment) {
    if (segment == 703 - Checkpoints::kMinOpenings) {
      ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, sequence, 0, source), FlashStatus::ok);
    }
    ASSERT_TRUE(session.store.open(segment, PageMode::full, ++sequence, 0));
    const bool last = segment == 702;
    for (std::uint32_t slot = 0; slot < (last ? 60U : 127U); ++slot) {
      PageMetadata metadata;
      metadata.lpn = static_cast<std::uint32_t>(sequence % kPages);
      metadata.updates = 1;
      metadata.sequence = ++sequence;
      source.mapped.insert(metadata.lpn);
      source.valid.insert({segment, slot});
      ASSERT_TRUE(session.store.program(segment, slot, metadata, data.data()).ok());
    }
    source.rows[segment].state = last ? SegmentState::open : SegmentState::sealed;
    if (!last) {
      ASSERT_TRUE(session.store.seal(segment).ok());
    }
  }
  const std::uint64_t before = flash.reads();
  StoreSession next(flash, kPages);
  ASSERT_EQ(next.checkpoints.load(), Checkpoints::Found::complete);
  const std::uint64_t for_checkpoints = flash.reads() - before;
  Finds finds;
  ASSERT_EQ(Scan(next.store, next.checkpoints, next.probe).run(finds), FlashStatus::ok);
  const std::uint64_t reads = flash.reads() - before;
  EXPECT_EQ(finds.pages.size(), 700U * 127 + 60);
  EXPECT_LT(for_checkpoints, 40U);
  // One each, one more of those opened since the checkpoint, and the pages of the one being filled.
  EXPECT_LE(reads, 1024U + Checkpoints::kMinOpenings + 60 + 10 + for_checkpoints);
  EXPECT_GE(reads, 1022U);
}

}  // namespace
}  // namespace ftlab::tests
