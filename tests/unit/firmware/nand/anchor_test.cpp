// The newest whole anchor counts, whatever a cut leaves behind it.
#include "firmware/nand/anchor.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/unit/firmware/nand/store_bench.h"

namespace ftlab::tests {
namespace {

using namespace nand;
using Found = Anchors::Found;

TEST(Anchor, comes_back_with_rows_bits_and_numbers) {
  EmulatedNand flash({});
  ToldSource source;
  source.rows[7] = {1234, 6400, 5, SegmentState::open, PageMode::lsb_only, true};
  source.mapped = {0, 31, 32, 99};
  source.valid = {{2, 0}, {7, 14}, {23, 3}};
  {
    StoreLife life(flash);
    EXPECT_EQ(life.anchors.load(), Found::nothing);
    life.store.set_volume(3);
    ASSERT_EQ(life.anchors.write(AnchorKind::complete, 500, 600, source), FlashStatus::ok);
  }
  StoreLife life(flash);
  ASSERT_EQ(life.anchors.load(), Found::complete);
  EXPECT_EQ(life.store.volume(), 3U);
  EXPECT_EQ(life.anchors.head().sequence, 500U);
  EXPECT_EQ(life.anchors.head().clock, 600U);
  const AnchorRow row = life.anchors.row(7);
  EXPECT_EQ(row.erase_count, 1234U);
  EXPECT_EQ(row.reads, 6400U);
  EXPECT_EQ(row.used, 5U);
  EXPECT_EQ(row.state, SegmentState::open);
  EXPECT_EQ(row.mode, PageMode::lsb_only);
  EXPECT_TRUE(row.retired);
  for (std::uint32_t lpn = 0; lpn < 100; ++lpn) EXPECT_EQ(life.anchors.mapped(lpn), source.mapped.contains(lpn)) << lpn;
  for (std::uint32_t segment = 0; segment < 24; ++segment)
    for (std::uint32_t slot = 0; slot < 15; ++slot)
      EXPECT_EQ(life.anchors.valid(segment, slot), source.valid.contains({segment, slot})) << segment << " " << slot;
}

TEST(Anchor, of_another_size_or_ftl_is_another_layout) {
  EmulatedNand flash({});
  ToldSource source;
  StoreLife life(flash);
  (void)life.anchors.load();
  life.store.set_volume(1);
  ASSERT_EQ(life.anchors.write(AnchorKind::complete, 1, 1, source), FlashStatus::ok);
  EXPECT_EQ(StoreLife(flash, 101).anchors.load(), Found::other_layout);
  EXPECT_EQ(StoreLife(flash, 100).anchors.load(), Found::complete);
}

TEST(Anchor, of_a_format_under_way_says_so) {
  EmulatedNand flash({});
  ToldSource source;
  StoreLife life(flash);
  (void)life.anchors.load();
  ASSERT_EQ(life.anchors.write(AnchorKind::formatting, 1, 1, source), FlashStatus::ok);
  EXPECT_EQ(StoreLife(flash).anchors.load(), Found::formatting);
}

/// Pages of an anchor on a part with small pages: several, so that a cut can fall between them.
EmulatedNandOptions tight() {
  EmulatedNandOptions part;
  part.segments = 40;
  part.pages = 32;
  part.page_bytes = 1024;
  return part;
}
constexpr std::uint32_t kManyPages = 12'000;  // 1.5 KB of bits: two pages

TEST(Anchor, cut_at_any_program_or_erase_leaves_the_one_before_or_the_new_one) {
  for (const Tear tear : kTears) {
    for (std::uint64_t cut = 1; cut < 60; ++cut) {
      EmulatedNand flash(tight());
      ToldSource source;
      std::uint64_t sequence = 100;
      {
        StoreLife life(flash, kManyPages);
        (void)life.anchors.load();
        life.store.set_volume(1);
        ASSERT_EQ(life.anchors.write(AnchorKind::complete, sequence, 0, source), FlashStatus::ok);
        flash.cut_power_at(cut, tear, cut);
        while (life.anchors.write(AnchorKind::complete, sequence + 1, 0, source) == FlashStatus::ok) ++sequence;
        ASSERT_FALSE(flash.powered());
      }
      flash.power_cycle();
      StoreLife next(flash, kManyPages);
      ASSERT_EQ(next.anchors.load(), Found::complete) << cut;
      const std::uint64_t found = next.anchors.head().sequence;
      // The one that was being written may be whole in one segment and not yet in the other.
      EXPECT_TRUE(found == sequence || found == sequence + 1) << found << " " << sequence;
      // And life goes on from there.
      for (int i = 0; i < 30; ++i)
        ASSERT_EQ(next.anchors.write(AnchorKind::complete, 1000 + i, 0, source), FlashStatus::ok) << cut;
      StoreLife last(flash, kManyPages);
      ASSERT_EQ(last.anchors.load(), Found::complete);
      EXPECT_EQ(last.anchors.head().sequence, 1029U);
    }
  }
}

TEST(Anchor, goes_to_the_other_segment_when_one_fails_and_nowhere_when_both_do) {
  EmulatedNand flash({});
  ToldSource source;
  StoreLife life(flash);
  (void)life.anchors.load();
  ASSERT_EQ(life.anchors.write(AnchorKind::complete, 1, 0, source), FlashStatus::ok);
  flash.fail_at(1, 1);
  ASSERT_EQ(life.anchors.write(AnchorKind::complete, 2, 0, source), FlashStatus::ok);
  StoreLife next(flash);
  ASSERT_EQ(next.anchors.load(), Found::complete);
  EXPECT_EQ(next.anchors.head().sequence, 2U);
  flash.fail_at(1, 0);
  EXPECT_NE(life.anchors.write(AnchorKind::complete, 3, 0, source), FlashStatus::ok);
  StoreLife last(flash);
  ASSERT_EQ(last.anchors.load(), Found::complete);
  EXPECT_EQ(last.anchors.head().sequence, 2U);
}

TEST(Anchor, goes_to_both_segments_so_that_mounts_find_both_in_use) {
  EmulatedNandOptions part;
  part.segments = 200;
  EmulatedNand flash(part);
  ToldSource source;
  StoreLife life(flash);
  (void)life.anchors.load();
  ASSERT_EQ(life.anchors.write(AnchorKind::complete, 1, 0, source), FlashStatus::ok);
  for (const std::uint32_t home : {0U, 1U}) EXPECT_EQ(flash.page_state(home, 0), EmulatedNand::PageState::whole);
  const std::uint64_t before = flash.reads();
  EXPECT_EQ(StoreLife(flash).anchors.load(), Found::complete);
  EXPECT_LT(flash.reads() - before, 40U) << "no search of the whole part";
}

TEST(Anchor, newest_one_outlives_any_lost_page_and_either_lost_segment) {
  for (int anchors = 1; anchors <= 12; ++anchors) {
    EmulatedNand flash(tight());
    ToldSource source;
    StoreLife life(flash, kManyPages);
    (void)life.anchors.load();
    ASSERT_EQ(life.anchors.write(AnchorKind::formatting, 0, 0, source), FlashStatus::ok);
    for (int i = 1; i <= anchors; ++i)
      ASSERT_EQ(life.anchors.write(AnchorKind::complete, i, 0, source), FlashStatus::ok);
    const EmulatedNand::Image image = flash.snapshot();
    const auto expect_newest = [&](const char* what, std::uint32_t which) {
      StoreLife next(flash, kManyPages);
      EXPECT_EQ(next.anchors.load(), Found::complete) << what << which << " of " << anchors;
      EXPECT_EQ(next.anchors.head().sequence, static_cast<std::uint64_t>(anchors)) << what << which;
      flash.restore(image);
    };
    for (const std::uint32_t home : {0U, 1U}) {
      for (std::uint32_t page = 0; page < 16; ++page) {
        flash.lose_page(home, page);
        expect_newest("page ", home * 100 + page);
      }
      flash.scramble(home);
      expect_newest("unreadable segment ", home);
      FlashOp erase;
      erase.kind = FlashOpKind::erase;
      erase.segment = SegmentId{home};
      ASSERT_EQ(run_one(flash, erase), FlashStatus::ok);
      expect_newest("vanished segment ", home);
    }
  }
}

TEST(Anchor, with_one_wrong_bit_does_not_count) {
  EmulatedNand flash({});
  ToldSource source;
  source.rows[7] = {1234, 6400, 5, SegmentState::open, PageMode::lsb_only, true};
  StoreLife life(flash);
  (void)life.anchors.load();
  ASSERT_EQ(life.anchors.write(AnchorKind::complete, 1, 0, source), FlashStatus::ok);
  const EmulatedNand::Image image = flash.snapshot();
  for (const std::uint32_t home : {0U, 1U}) {
    for (std::uint32_t bit = 0; bit < 8 * life.store.page_bytes(); bit += 5) {
      flash.restore(image);
      flash.edit(home).data[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
      StoreLife next(flash);
      ASSERT_EQ(next.anchors.load(), Found::complete) << home << " " << bit;
      ASSERT_EQ(next.anchors.row(7).erase_count, 1234U) << home << " " << bit;
      ASSERT_EQ(next.anchors.head().sequence, 1U) << home << " " << bit;
    }
  }
}

TEST(Anchor, begun_before_a_mount_does_not_count_instead_of_one_after_it_when_its_torn_page_turns_readable) {
  std::uint32_t newer = 0;
  for (const std::uint32_t whole : {1U, 2U}) {
    for (std::uint64_t cut = 1; cut < 20; ++cut) {
      EmulatedNand flash({});
      ToldSource source;
      const std::uint64_t torn = whole + 1;
      {
        StoreLife life(flash);
        (void)life.anchors.load();
        for (std::uint64_t i = 1; i <= torn; ++i)
          ASSERT_EQ(life.anchors.write(AnchorKind::complete, i, 0, source), FlashStatus::ok);
      }
      // As if power had been lost in the last one, whose cells hesitate.
      const std::uint32_t page = StoreLife(flash).store.page_of(0, PageMode::lsb_only, whole);
      for (const std::uint32_t home : {0U, 1U}) flash.lose_page(home, page);
      {
        StoreLife life(flash);
        ASSERT_EQ(life.anchors.load(), Found::complete);
        ASSERT_EQ(life.anchors.head().sequence, whole);
        flash.cut_power_at(cut, Tear::none);
        (void)life.anchors.write(AnchorKind::complete, torn + 1, 0, source);
        flash.power_cycle();
      }
      StoreLife before(flash);
      ASSERT_EQ(before.anchors.load(), Found::complete);
      if (before.anchors.head().sequence != torn + 1) continue;
      for (const std::uint32_t home : {0U, 1U}) {
        if (flash.page_state(home, page) != EmulatedNand::PageState::torn) continue;
        ++newer;
        flash.edit(home).state[page] = EmulatedNand::PageState::whole;
        StoreLife after(flash);
        ASSERT_EQ(after.anchors.load(), Found::complete);
        EXPECT_EQ(after.anchors.head().sequence, torn + 1) << "home " << home << ", cut " << cut;
      }
    }
  }
  EXPECT_GT(newer, 1U);
}

TEST(Anchor, lost_in_both_segments_is_damage_and_not_a_new_part) {
  for (int anchors = 1; anchors <= 4; ++anchors) {
    EmulatedNand flash({});
    ToldSource source;
    StoreLife life(flash);
    (void)life.anchors.load();
    ASSERT_EQ(life.anchors.write(AnchorKind::formatting, 0, 0, source), FlashStatus::ok);
    for (int i = 1; i <= anchors; ++i)
      ASSERT_EQ(life.anchors.write(AnchorKind::complete, i, 0, source), FlashStatus::ok);
    const std::uint32_t first = life.store.page_of(0, PageMode::lsb_only, 1);
    for (const std::uint32_t home : {0U, 1U}) flash.lose_page(home, first);
    EXPECT_EQ(StoreLife(flash).anchors.load(), anchors == 1 ? Found::damaged : Found::complete) << anchors;
  }
  // Nothing of anchors is left, but pages of data are.
  EmulatedNand flash({});
  StoreLife life(flash);
  life.store.set_volume(3);
  ASSERT_TRUE(life.store.open(9, PageMode::full, 1, 1));
  ASSERT_TRUE(life.put(9, 0, 7, 2).ok());
  EXPECT_EQ(StoreLife(flash).anchors.load(), Found::damaged);
}

/// Spares a segment for a home that failed.
class SparingSource final : public AnchorSource {
 public:
  [[nodiscard]] AnchorRow anchor_row(std::uint32_t segment) const override {
    AnchorRow row;
    if (failed.contains(segment)) row.state = SegmentState::bad;
    return row;
  }
  [[nodiscard]] bool anchor_mapped(std::uint32_t) const override { return false; }
  [[nodiscard]] bool anchor_valid(std::uint32_t, std::uint32_t) const override { return false; }
  std::uint32_t replace_home(std::uint32_t segment) override {
    if (!spares || next == end) return kNone;
    failed.insert(segment);
    return next++;
  }
  bool spares = true;
  std::set<std::uint32_t> failed;
  std::uint32_t next = 10;
  std::uint32_t end = kNone;
};

TEST(Anchor, homes_that_fail_one_after_the_other_and_take_no_mark_never_bring_back_what_they_told) {
  // Each of several homes in turn fails at a program or an erase, and power is cut while it is replaced.
  for (const bool marks : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
      EmulatedNandOptions part;
      part.segments = 60;
      part.marks_on_failed = marks;
      EmulatedNand flash(part);
      SparingSource source;
      std::uint64_t sequence = 1;
      std::uint64_t kept = 0;
      for (int life_of = 0; life_of < 6; ++life_of) {
        StoreLife life(flash);
        const Found found = life.anchors.load();
        life.store.set_volume(1);
        if (life_of > 0) {
          ASSERT_EQ(found, Found::complete) << marks << " seed " << seed << " life " << life_of;
          ASSERT_TRUE(life.anchors.head().sequence == kept || life.anchors.head().sequence == sequence - 1)
              << marks << " seed " << seed << " life " << life_of << ": " << life.anchors.head().sequence << " of "
              << kept;
          kept = life.anchors.head().sequence;
        }
        const auto write = [&] {
          const FlashStatus status = life.anchors.write(AnchorKind::complete, sequence++, 0, source);
          if (status == FlashStatus::ok) kept = sequence - 1;
          return status;
        };
        for (std::uint64_t i = 0; i < 2 + seed * 7 % 23; ++i) ASSERT_EQ(write(), FlashStatus::ok) << marks << seed;
        const std::uint64_t luck = seed * 2654435761U + static_cast<std::uint64_t>(life_of) * 40503U;
        // Both homes in one write are more than there is a way out of.
        const bool one = flash.has_failed(life.anchors.home(0)) || flash.has_failed(life.anchors.home(1));
        if (!one) flash.fail_at(1 + luck / 7 % 9, life.anchors.home(static_cast<std::uint32_t>(luck / 3 % 2)));
        flash.cut_power_at(1 + luck / 11 % 30, static_cast<Tear>(luck / 5 % 5), luck);
        while (flash.powered() && write() == FlashStatus::ok) {
        }
        ASSERT_FALSE(flash.powered()) << marks << " seed " << seed << " life " << life_of;
        flash.fail_at(0);
        flash.power_cycle();
      }
    }
  }
}

TEST(Anchor, after_a_mount_goes_on_in_its_segment_while_no_other_can_be_had_and_replaces_later) {
  EmulatedNand flash({});
  SparingSource source;
  std::uint64_t sequence = 1;
  StoreLife first(flash);
  (void)first.anchors.load();
  ASSERT_EQ(first.anchors.write(AnchorKind::complete, sequence, 0, source), FlashStatus::ok);
  StoreLife life(flash);
  ASSERT_EQ(life.anchors.load(), Found::complete);
  flash.fail_at(1, 1);
  source.spares = false;
  for (int i = 0; i < 4; ++i)
    ASSERT_EQ(life.anchors.write(AnchorKind::complete, ++sequence, 0, source), FlashStatus::ok);
  EXPECT_TRUE(source.failed.empty());
  source.spares = true;
  for (int i = 0; i < 40; ++i)
    ASSERT_EQ(life.anchors.write(AnchorKind::complete, ++sequence, 0, source), FlashStatus::ok) << i;
  EXPECT_TRUE(source.failed.contains(1));
  StoreLife last(flash);
  ASSERT_EQ(last.anchors.load(), Found::complete);
  EXPECT_EQ(last.anchors.head().sequence, sequence);
}

TEST(Anchor, new_home_that_fails_before_it_is_named_is_not_erased_again_once_marked) {
  EmulatedNandOptions part;
  part.marks_on_failed = true;
  EmulatedNand flash(part);
  SparingSource source;
  source.end = 11;
  std::uint64_t sequence = 1;
  StoreLife life(flash);
  (void)life.anchors.load();
  // Both homes are full, and the next anchor erases home 0.
  for (std::uint32_t i = 0; i < life.store.pages(PageMode::lsb_only); ++i)
    ASSERT_EQ(life.anchors.write(AnchorKind::complete, sequence++, 0, source), FlashStatus::ok);
  for (const std::uint32_t segment : {0U, 1U, 10U}) flash.refuse(segment);
  const std::uint64_t kept = sequence - 1;
  for (int i = 0; i < 4; ++i)
    EXPECT_NE(life.anchors.write(AnchorKind::complete, sequence++, 0, source), FlashStatus::ok) << i;
  EXPECT_TRUE(flash.is_bad(10)) << "an erase of it now would stop the emulated part";
  StoreLife next(flash);
  ASSERT_EQ(next.anchors.load(), Found::complete);
  EXPECT_EQ(next.anchors.head().sequence, kept);
}

TEST(Anchor, is_not_kept_when_one_new_home_after_the_other_fails) {
  EmulatedNandOptions part;
  part.segments = 60;
  EmulatedNand flash(part);
  SparingSource source;
  StoreLife life(flash);
  (void)life.anchors.load();
  std::uint64_t kept = 0;
  for (std::uint32_t i = 0; i < life.store.pages(PageMode::lsb_only); ++i)
    ASSERT_EQ(life.anchors.write(AnchorKind::complete, ++kept, 0, source), FlashStatus::ok);
  for (std::uint32_t segment = 0; segment < 60; ++segment) flash.refuse(segment);
  EXPECT_NE(life.anchors.write(AnchorKind::complete, kept + 1, 0, source), FlashStatus::ok);
  EXPECT_GT(source.failed.size(), 5U);
  StoreLife next(flash);
  ASSERT_EQ(next.anchors.load(), Found::complete);
  EXPECT_EQ(next.anchors.head().sequence, kept);
}

TEST(Anchor, keeps_away_from_a_segment_bad_from_the_factory) {
  EmulatedNand flash({});
  flash.mark_initial_bad(1);
  flash.mark_initial_bad(2);
  ToldSource source;
  StoreLife life(flash);
  (void)life.anchors.load();
  EXPECT_TRUE(life.anchors.is_home(3));
  for (int i = 0; i < 30; ++i) ASSERT_EQ(life.anchors.write(AnchorKind::complete, i, 0, source), FlashStatus::ok);
  StoreLife next(flash);
  ASSERT_EQ(next.anchors.load(), Found::complete);
  EXPECT_EQ(next.anchors.head().sequence, 29U);
  EXPECT_EQ(next.anchors.home_erases(0), flash.erase_count(0));
  EXPECT_EQ(next.anchors.home_erases(1), flash.erase_count(3));
}

TEST(Anchor, homes_wear_no_more_than_the_segments_with_data) {
  EmulatedNandOptions part;
  part.segments = 4096;
  part.pages = 128;
  part.page_bytes = 4096;
  part.store_content = false;
  EmulatedNand flash(part);
  constexpr std::uint32_t kPages = 460'000;
  ToldSource source;
  StoreLife life(flash, kPages);
  (void)life.anchors.load();
  const std::uint32_t between = Anchors::openings_between(flash.geometry(), {0, 0, kPages, 0});
  EXPECT_GT(between, Anchors::kLeastOpenings);
  EXPECT_LE(between, 4096U) << "the bound of a mount: two more reads for each segment opened since";
  // Twenty rounds over all segments: a mean of twenty erases.
  constexpr std::uint32_t kRounds = 20;
  std::uint32_t anchors = 0;
  for (std::uint32_t opening = 0; opening < kRounds * 4094; ++opening) {
    life.anchors.note_opening();
    if (!life.anchors.due()) continue;
    ASSERT_EQ(life.anchors.write(AnchorKind::complete, opening, 0, source), FlashStatus::ok);
    ++anchors;
  }
  EXPECT_GE(anchors, kRounds - 1);
  EXPECT_LE(flash.erase_count(0), kRounds);
  EXPECT_LE(flash.erase_count(1), kRounds);
  EXPECT_GE(flash.erase_count(0), 1U);
  RecordProperty("openings_between", static_cast<int>(between));
  RecordProperty("erases_of_home_1", static_cast<int>(flash.erase_count(1)));
}

TEST(Anchor, on_a_medium_full_of_noise_erases_first) {
  EmulatedNand flash({});
  flash.scramble(0);
  flash.scramble(1);
  ToldSource source;
  StoreLife life(flash);
  EXPECT_EQ(life.anchors.load(), Found::nothing);
  ASSERT_EQ(life.anchors.write(AnchorKind::complete, 7, 0, source), FlashStatus::ok);
  EXPECT_EQ(StoreLife(flash).anchors.load(), Found::complete);
}

}  // namespace
}  // namespace ftlab::tests
