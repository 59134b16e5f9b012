// The two checkpoint segments: replaced when they fail, chosen away from bad ones, worn like the others.
#include <gtest/gtest.h>

#include <set>

#include "firmware/volume/nand/checkpoint.h"
#include "tests/unit/firmware/volume/nand/store_fixture.h"

namespace ftlab::tests {
namespace {

using namespace nand;
using Found = Checkpoints::Found;

/// Spares a segment for a checkpoint segment that failed.
class SparingSource final : public CheckpointSource {
 public:
  [[nodiscard]] CheckpointRow checkpoint_row(std::uint32_t segment) const override {
    CheckpointRow row;
    if (failed.contains(segment)) row.state = SegmentState::bad;
    return row;
  }
  [[nodiscard]] std::uint32_t checkpoint_mapped(std::uint32_t, std::uint32_t) const override { return 0; }
  [[nodiscard]] std::uint32_t checkpoint_valid(std::uint32_t, std::uint32_t, std::uint32_t) const override { return 0; }
  std::uint32_t replace_checkpoint_segment(std::uint32_t segment) override {
    if (!spares || next == end) return kNone;
    failed.insert(segment);
    return next++;
  }
  bool spares = true;
  std::set<std::uint32_t> failed;
  std::uint32_t next = 10;
  std::uint32_t end = kNone;
};

TEST(Checkpoint, segments_that_fail_one_after_the_other_and_take_no_mark_never_bring_back_what_they_recorded) {
  // Each of several checkpoint segments in turn fails at a program or an erase, and power is lost while it is replaced.
  for (const bool marks : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
      EmulatedNandOptions part;
      part.segments = 60;
      part.marks_on_failed = marks;
      EmulatedNand flash(part);
      SparingSource source;
      std::uint64_t sequence = 1;
      std::uint64_t kept = 0;
      for (int n = 0; n < 6; ++n) {
        StoreSession session(flash);
        const Found found = session.checkpoints.load();
        session.store.set_volume(1);
        if (n > 0) {
          ASSERT_EQ(found, Found::complete) << marks << " seed " << seed << " session " << n;
          ASSERT_TRUE(session.checkpoints.head().sequence == kept ||
                      session.checkpoints.head().sequence == sequence - 1)
              << marks << " seed " << seed << " session " << n << ": " << session.checkpoints.head().sequence << " of "
              << kept;
          kept = session.checkpoints.head().sequence;
        }
        const auto write = [&] {
          const FlashStatus status = session.checkpoints.write(CheckpointKind::complete, sequence++, 0, source);
          if (status == FlashStatus::ok) kept = sequence - 1;
          return status;
        };
        for (std::uint64_t i = 0; i < 2 + seed * 7 % 23; ++i) ASSERT_EQ(write(), FlashStatus::ok) << marks << seed;
        const std::uint64_t luck = seed * 2654435761U + static_cast<std::uint64_t>(n) * 40503U;
        // Both checkpoint segments in one write are more than there is a way out of.
        const bool one =
            flash.has_failed(session.checkpoints.segment(0)) || flash.has_failed(session.checkpoints.segment(1));
        if (!one)
          flash.fail_at(1 + luck / 7 % 9, session.checkpoints.segment(static_cast<std::uint32_t>(luck / 3 % 2)));
        flash.lose_power_at(1 + luck / 11 % 30, static_cast<TornWrite>(luck / 5 % 5), luck);
        while (flash.powered() && write() == FlashStatus::ok) {
        }
        ASSERT_FALSE(flash.powered()) << marks << " seed " << seed << " session " << n;
        flash.fail_at(0);
        flash.power_cycle();
      }
    }
  }
}

TEST(Checkpoint, after_a_mount_goes_on_in_its_segment_while_no_other_can_be_had_and_replaces_later) {
  EmulatedNand flash({});
  SparingSource source;
  std::uint64_t sequence = 1;
  StoreSession first(flash);
  (void)first.checkpoints.load();
  ASSERT_EQ(first.checkpoints.write(CheckpointKind::complete, sequence, 0, source), FlashStatus::ok);
  StoreSession session(flash);
  ASSERT_EQ(session.checkpoints.load(), Found::complete);
  flash.fail_at(1, 1);
  source.spares = false;
  for (int i = 0; i < 4; ++i)
    ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, ++sequence, 0, source), FlashStatus::ok);
  EXPECT_TRUE(source.failed.empty());
  source.spares = true;
  for (int i = 0; i < 40; ++i)
    ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, ++sequence, 0, source), FlashStatus::ok) << i;
  EXPECT_TRUE(source.failed.contains(1));
  StoreSession last(flash);
  ASSERT_EQ(last.checkpoints.load(), Found::complete);
  EXPECT_EQ(last.checkpoints.head().sequence, sequence);
}

TEST(Checkpoint, new_segment_that_fails_before_it_is_named_is_not_erased_again_once_marked) {
  EmulatedNandOptions part;
  part.marks_on_failed = true;
  EmulatedNand flash(part);
  SparingSource source;
  source.end = 11;
  std::uint64_t sequence = 1;
  StoreSession session(flash);
  (void)session.checkpoints.load();
  // Both checkpoint segments are full, and the next checkpoint erases checkpoint segment 0.
  for (std::uint32_t i = 0; i < session.store.pages(PageMode::lsb_only); ++i)
    ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, sequence++, 0, source), FlashStatus::ok);
  for (const std::uint32_t segment : {0U, 1U, 10U}) flash.refuse(segment);
  const std::uint64_t kept = sequence - 1;
  for (int i = 0; i < 4; ++i)
    EXPECT_NE(session.checkpoints.write(CheckpointKind::complete, sequence++, 0, source), FlashStatus::ok) << i;
  EXPECT_TRUE(flash.is_bad(10)) << "an erase of it now would stop the emulated part";
  StoreSession next(flash);
  ASSERT_EQ(next.checkpoints.load(), Found::complete);
  EXPECT_EQ(next.checkpoints.head().sequence, kept);
}

TEST(Checkpoint, is_not_kept_when_one_new_segment_after_the_other_fails) {
  EmulatedNandOptions part;
  part.segments = 60;
  EmulatedNand flash(part);
  SparingSource source;
  StoreSession session(flash);
  (void)session.checkpoints.load();
  std::uint64_t kept = 0;
  for (std::uint32_t i = 0; i < session.store.pages(PageMode::lsb_only); ++i)
    ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, ++kept, 0, source), FlashStatus::ok);
  for (std::uint32_t segment = 0; segment < 60; ++segment) flash.refuse(segment);
  EXPECT_NE(session.checkpoints.write(CheckpointKind::complete, kept + 1, 0, source), FlashStatus::ok);
  EXPECT_GT(source.failed.size(), 5U);
  StoreSession next(flash);
  ASSERT_EQ(next.checkpoints.load(), Found::complete);
  EXPECT_EQ(next.checkpoints.head().sequence, kept);
}

TEST(Checkpoint, keeps_away_from_a_segment_bad_from_the_factory) {
  EmulatedNand flash({});
  flash.mark_initial_bad(1);
  flash.mark_initial_bad(2);
  ListedSource source;
  StoreSession session(flash);
  (void)session.checkpoints.load();
  EXPECT_TRUE(session.checkpoints.is_checkpoint_segment(3));
  for (int i = 0; i < 30; ++i)
    ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, i, 0, source), FlashStatus::ok);
  StoreSession next(flash);
  ASSERT_EQ(next.checkpoints.load(), Found::complete);
  EXPECT_EQ(next.checkpoints.head().sequence, 29U);
  EXPECT_EQ(next.checkpoints.erase_count(0), flash.erase_count(0));
  EXPECT_EQ(next.checkpoints.erase_count(1), flash.erase_count(3));
}

TEST(Checkpoint, segments_wear_no_more_than_the_segments_with_data) {
  EmulatedNandOptions part;
  part.segments = 4096;
  part.pages = 128;
  part.page_bytes = 4096;
  part.store_content = false;
  EmulatedNand flash(part);
  constexpr std::uint32_t kPages = 460'000;
  ListedSource source;
  StoreSession session(flash, kPages);
  (void)session.checkpoints.load();
  const std::uint32_t between = Checkpoints::openings_between(flash.geometry(), {0, 0, kPages, 0});
  EXPECT_GT(between, Checkpoints::kMinOpenings);
  EXPECT_LE(between, 4096U) << "the bound of a mount: two more reads for each segment opened since";
  // Twenty rounds over all segments: a mean of twenty erases.
  constexpr std::uint32_t kRounds = 20;
  std::uint32_t checkpoints = 0;
  for (std::uint32_t opening = 0; opening < kRounds * 4094; ++opening) {
    session.checkpoints.note_opening();
    if (!session.checkpoints.due()) continue;
    ASSERT_EQ(session.checkpoints.write(CheckpointKind::complete, opening, 0, source), FlashStatus::ok);
    ++checkpoints;
  }
  EXPECT_GE(checkpoints, kRounds - 1);
  EXPECT_LE(flash.erase_count(0), kRounds);
  EXPECT_LE(flash.erase_count(1), kRounds);
  EXPECT_GE(flash.erase_count(0), 1U);
  RecordProperty("openings_between", static_cast<int>(between));
  RecordProperty("erases_of_segment_1", static_cast<int>(flash.erase_count(1)));
}

}  // namespace
}  // namespace ftlab::tests
