// The newest whole checkpoint counts, whatever a power loss leaves behind it.
#include "firmware/volume/nand/checkpoint.h"

#include <gtest/gtest.h>

#include "tests/unit/firmware/volume/nand/store_fixture.h"

namespace ftlab::tests {
namespace {

using namespace nand;
using Found = Checkpoints::Found;

TEST(Checkpoint, comes_back_with_rows_bits_and_numbers) {
  EmulatedNand flash({});
  ListedSource source;
  source.rows[7] = {1234, 6400, 5, SegmentState::open, PageMode::lsb_only, true};
  source.mapped = {0, 31, 32, 99};
  source.valid = {{2, 0}, {7, 14}, {23, 3}};
  {
    StoreSession session(flash);
    EXPECT_EQ(session.checkpoints.load(), Found::nothing);
    session.store.set_volume(3);
    ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, 500, 600, source), FlashStatus::ok);
  }
  StoreSession session(flash);
  ASSERT_EQ(session.checkpoints.load(), Found::complete);
  EXPECT_EQ(session.store.volume(), 3U);
  EXPECT_EQ(session.checkpoints.head().sequence, 500U);
  EXPECT_EQ(session.checkpoints.head().clock, 600U);
  const CheckpointRow row = session.checkpoints.row(7);
  EXPECT_EQ(row.erase_count, 1234U);
  EXPECT_EQ(row.reads, 6400U);
  EXPECT_EQ(row.used, 5U);
  EXPECT_EQ(row.state, SegmentState::open);
  EXPECT_EQ(row.mode, PageMode::lsb_only);
  EXPECT_TRUE(row.retired);
  for (std::uint32_t lpn = 0; lpn < 100; ++lpn)
    EXPECT_EQ(session.checkpoints.mapped(lpn), source.mapped.contains(lpn)) << lpn;
  for (std::uint32_t segment = 0; segment < 24; ++segment)
    for (std::uint32_t slot = 0; slot < 15; ++slot)
      EXPECT_EQ(session.checkpoints.valid(segment, slot), source.valid.contains({segment, slot}))
          << segment << " " << slot;
}

TEST(Checkpoint, of_another_size_or_ftl_is_another_layout) {
  EmulatedNand flash({});
  ListedSource source;
  StoreSession session(flash);
  (void)session.checkpoints.load();
  session.store.set_volume(1);
  ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, 1, 1, source), FlashStatus::ok);
  EXPECT_EQ(StoreSession(flash, 101).checkpoints.load(), Found::other_layout);
  EXPECT_EQ(StoreSession(flash, 100).checkpoints.load(), Found::complete);
}

TEST(Checkpoint, of_a_format_under_way_says_so) {
  EmulatedNand flash({});
  ListedSource source;
  StoreSession session(flash);
  (void)session.checkpoints.load();
  ASSERT_EQ(session.checkpoints.write(CheckpointKind::formatting, 1, 1, source), FlashStatus::ok);
  EXPECT_EQ(StoreSession(flash).checkpoints.load(), Found::formatting);
}

/// Pages of a checkpoint on a part with small pages: several, so that a power loss can fall between them.
EmulatedNandOptions tight() {
  EmulatedNandOptions part;
  part.segments = 40;
  part.pages = 32;
  part.page_bytes = 1024;
  return part;
}
constexpr std::uint32_t kManyPages = 12'000;  // 1.5 KB of bits: two pages

TEST(Checkpoint, power_loss_at_any_program_or_erase_leaves_the_one_before_or_the_new_one) {
  for (const TornWrite torn : kTornWrites) {
    for (std::uint64_t loss = 1; loss < 60; ++loss) {
      EmulatedNand flash(tight());
      ListedSource source;
      std::uint64_t sequence = 100;
      {
        StoreSession session(flash, kManyPages);
        (void)session.checkpoints.load();
        session.store.set_volume(1);
        ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, sequence, 0, source), FlashStatus::ok);
        flash.lose_power_at(loss, torn, loss);
        while (session.checkpoints.write(CheckpointKind::complete, sequence + 1, 0, source) == FlashStatus::ok)
          ++sequence;
        ASSERT_FALSE(flash.powered());
      }
      flash.power_cycle();
      StoreSession next(flash, kManyPages);
      ASSERT_EQ(next.checkpoints.load(), Found::complete) << loss;
      const std::uint64_t found = next.checkpoints.head().sequence;
      // The one that was being written may be whole in one segment and not yet in the other.
      EXPECT_TRUE(found == sequence || found == sequence + 1) << found << " " << sequence;
      // And it goes on from there.
      for (int i = 0; i < 30; ++i)
        ASSERT_EQ(next.checkpoints.write(CheckpointKind::complete, 1000 + i, 0, source), FlashStatus::ok) << loss;
      StoreSession last(flash, kManyPages);
      ASSERT_EQ(last.checkpoints.load(), Found::complete);
      EXPECT_EQ(last.checkpoints.head().sequence, 1029U);
    }
  }
}

TEST(Checkpoint, goes_to_the_other_segment_when_one_fails_and_nowhere_when_both_do) {
  EmulatedNand flash({});
  ListedSource source;
  StoreSession session(flash);
  (void)session.checkpoints.load();
  ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, 1, 0, source), FlashStatus::ok);
  flash.fail_at(1, 1);
  ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, 2, 0, source), FlashStatus::ok);
  StoreSession next(flash);
  ASSERT_EQ(next.checkpoints.load(), Found::complete);
  EXPECT_EQ(next.checkpoints.head().sequence, 2U);
  flash.fail_at(1, 0);
  EXPECT_NE(session.checkpoints.write(CheckpointKind::complete, 3, 0, source), FlashStatus::ok);
  StoreSession last(flash);
  ASSERT_EQ(last.checkpoints.load(), Found::complete);
  EXPECT_EQ(last.checkpoints.head().sequence, 2U);
}

TEST(Checkpoint, goes_to_both_segments_so_that_mounts_find_both_in_use) {
  EmulatedNandOptions part;
  part.segments = 200;
  EmulatedNand flash(part);
  ListedSource source;
  StoreSession session(flash);
  (void)session.checkpoints.load();
  ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, 1, 0, source), FlashStatus::ok);
  for (const std::uint32_t segment : {0U, 1U}) EXPECT_EQ(flash.page_state(segment, 0), EmulatedNand::PageState::whole);
  const std::uint64_t before = flash.reads();
  EXPECT_EQ(StoreSession(flash).checkpoints.load(), Found::complete);
  EXPECT_LT(flash.reads() - before, 40U) << "no search of the whole part";
}

TEST(Checkpoint, newest_one_outlives_any_lost_page_and_either_lost_segment) {
  for (int checkpoints = 1; checkpoints <= 12; ++checkpoints) {
    EmulatedNand flash(tight());
    ListedSource source;
    StoreSession session(flash, kManyPages);
    (void)session.checkpoints.load();
    ASSERT_EQ(session.checkpoints.write(CheckpointKind::formatting, 0, 0, source), FlashStatus::ok);
    for (int i = 1; i <= checkpoints; ++i)
      ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, i, 0, source), FlashStatus::ok);
    const EmulatedNand::Image image = flash.snapshot();
    const auto expect_newest = [&](const char* what, std::uint32_t which) {
      StoreSession next(flash, kManyPages);
      EXPECT_EQ(next.checkpoints.load(), Found::complete) << what << which << " of " << checkpoints;
      EXPECT_EQ(next.checkpoints.head().sequence, static_cast<std::uint64_t>(checkpoints)) << what << which;
      flash.restore(image);
    };
    for (const std::uint32_t segment : {0U, 1U}) {
      for (std::uint32_t page = 0; page < 16; ++page) {
        flash.lose_page(segment, page);
        expect_newest("page ", segment * 100 + page);
      }
      flash.scramble(segment);
      expect_newest("unreadable segment ", segment);
      FlashOp erase;
      erase.kind = FlashOpKind::erase;
      erase.segment = SegmentId{segment};
      ASSERT_EQ(run_one(flash, erase), FlashStatus::ok);
      expect_newest("vanished segment ", segment);
    }
  }
}

TEST(Checkpoint, with_one_wrong_bit_does_not_count) {
  EmulatedNand flash({});
  ListedSource source;
  source.rows[7] = {1234, 6400, 5, SegmentState::open, PageMode::lsb_only, true};
  StoreSession session(flash);
  (void)session.checkpoints.load();
  ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, 1, 0, source), FlashStatus::ok);
  const EmulatedNand::Image image = flash.snapshot();
  for (const std::uint32_t segment : {0U, 1U}) {
    for (std::uint32_t bit = 0; bit < 8 * session.store.page_bytes(); bit += 5) {
      flash.restore(image);
      flash.edit(segment).data[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
      StoreSession next(flash);
      ASSERT_EQ(next.checkpoints.load(), Found::complete) << segment << " " << bit;
      ASSERT_EQ(next.checkpoints.row(7).erase_count, 1234U) << segment << " " << bit;
      ASSERT_EQ(next.checkpoints.head().sequence, 1U) << segment << " " << bit;
    }
  }
}

TEST(Checkpoint, begun_before_a_mount_does_not_count_instead_of_one_after_it_when_its_torn_page_turns_readable) {
  std::uint32_t newer = 0;
  for (const std::uint32_t whole : {1U, 2U}) {
    for (std::uint64_t loss = 1; loss < 20; ++loss) {
      EmulatedNand flash({});
      ListedSource source;
      const std::uint64_t torn = whole + 1;
      {
        StoreSession session(flash);
        (void)session.checkpoints.load();
        for (std::uint64_t i = 1; i <= torn; ++i)
          ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, i, 0, source), FlashStatus::ok);
      }
      // As if power had been lost in the last one, whose cells hesitate.
      const std::uint32_t page = StoreSession(flash).store.page_of(0, PageMode::lsb_only, whole);
      for (const std::uint32_t segment : {0U, 1U}) flash.lose_page(segment, page);
      {
        StoreSession session(flash);
        ASSERT_EQ(session.checkpoints.load(), Found::complete);
        ASSERT_EQ(session.checkpoints.head().sequence, whole);
        flash.lose_power_at(loss, TornWrite::none);
        (void)session.checkpoints.write(CheckpointKind::complete, torn + 1, 0, source);
        flash.power_cycle();
      }
      StoreSession before(flash);
      ASSERT_EQ(before.checkpoints.load(), Found::complete);
      if (before.checkpoints.head().sequence != torn + 1) continue;
      for (const std::uint32_t segment : {0U, 1U}) {
        if (flash.page_state(segment, page) != EmulatedNand::PageState::torn) continue;
        ++newer;
        flash.edit(segment).state[page] = EmulatedNand::PageState::whole;
        StoreSession after(flash);
        ASSERT_EQ(after.checkpoints.load(), Found::complete);
        EXPECT_EQ(after.checkpoints.head().sequence, torn + 1) << "segment " << segment << ", loss " << loss;
      }
    }
  }
  EXPECT_GT(newer, 1U);
}

TEST(Checkpoint, lost_in_both_segments_is_damage_and_not_a_new_part) {
  for (int checkpoints = 1; checkpoints <= 4; ++checkpoints) {
    EmulatedNand flash({});
    ListedSource source;
    StoreSession session(flash);
    (void)session.checkpoints.load();
    ASSERT_EQ(session.checkpoints.write(CheckpointKind::formatting, 0, 0, source), FlashStatus::ok);
    for (int i = 1; i <= checkpoints; ++i)
      ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, i, 0, source), FlashStatus::ok);
    const std::uint32_t first = session.store.page_of(0, PageMode::lsb_only, 1);
    for (const std::uint32_t segment : {0U, 1U}) flash.lose_page(segment, first);
    EXPECT_EQ(StoreSession(flash).checkpoints.load(), checkpoints == 1 ? Found::damaged : Found::complete)
        << checkpoints;
  }
  // Nothing of checkpoints is left, but pages of data are.
  EmulatedNand flash({});
  StoreSession session(flash);
  session.store.set_volume(3);
  ASSERT_TRUE(session.store.open(9, PageMode::full, 1, 1));
  ASSERT_TRUE(session.put(9, 0, 7, 2).ok());
  EXPECT_EQ(StoreSession(flash).checkpoints.load(), Found::damaged);
}

TEST(Checkpoint, on_a_medium_full_of_noise_erases_first) {
  EmulatedNand flash({});
  flash.scramble(0);
  flash.scramble(1);
  ListedSource source;
  StoreSession session(flash);
  EXPECT_EQ(session.checkpoints.load(), Found::nothing);
  ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, 7, 0, source), FlashStatus::ok);
  EXPECT_EQ(StoreSession(flash).checkpoints.load(), Found::complete);
}

}  // namespace
}  // namespace ftlab::tests
