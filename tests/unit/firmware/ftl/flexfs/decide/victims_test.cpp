#include "firmware/ftl/flexfs/decide/victims.h"

#include <gtest/gtest.h>

#include <vector>

namespace ftlab::flexfs {
namespace {

constexpr std::uint32_t kSegments = 8;
constexpr std::uint32_t kVictimSlots = 10;

class VictimsTest : public testing::Test {
 protected:
  VictimsTest() : memory_(4096), files_(kSegments * kVictimSlots) {
    Arena arena(reinterpret_cast<std::byte*>(memory_.data()), memory_.size() * sizeof(std::max_align_t));
    segments_.layout(arena, kSegments, kVictimSlots);
    queues_.layout(arena, 4, 4);
    EXPECT_TRUE(arena.fits());
    segments_.clear();
    queues_.clear();
    queues_.touch(kHotFile, false, 1, 0);
    queues_.touch(kHotFile, true, 2, 0);
    for (std::uint32_t id = 0; id < kSegments; ++id) segments_.row(id).state = SegmentState::fixed;
  }
  /// A sealed segment, opened at `sequence`, with valid pages of which the first `hot` are of the hot file.
  void seal(std::uint32_t id, Region region, std::uint64_t sequence, std::uint32_t valid, std::uint32_t hot = 0) {
    SegmentRow& row = segments_.row(id);
    row.state = SegmentState::sealed;
    row.stream = static_cast<StreamId>(region);
    row.opened_sequence = sequence;
    for (std::uint32_t slot = 0; slot < valid; ++slot) {
      const std::uint32_t ppn = segments_.ppn(id, slot);
      segments_.set_valid(id, slot);
      segments_.lpn_at(ppn) = ppn;
      files_[ppn] = slot < hot ? kHotFile : kColdFile;
    }
  }
  [[nodiscard]] VictimView view(bool locality = false) {
    return {segments_, files_, locality ? &queues_ : nullptr, probe_};
  }
  [[nodiscard]] const MigrationVictim& order(const char* name) { return *find_named(migration_victims(), name); }

  static constexpr std::uint32_t kHotFile = 5;
  static constexpr std::uint32_t kColdFile = 6;
  std::vector<std::max_align_t> memory_;
  std::vector<std::uint32_t> files_;
  SegmentTable segments_;
  HotColdQueues queues_;
  NullProbe probe_;
};

TEST_F(VictimsTest, migration_takes_the_oldest_or_the_emptiest_slc_segment) {
  EXPECT_EQ(pick_migration(view(), order("oldest"), true), std::nullopt);
  seal(1, Region::slc, 30, 4);
  seal(2, Region::slc, 10, 5);
  seal(3, Region::slc, 20, 4);
  seal(4, Region::mlc, 1, 1);
  EXPECT_EQ(pick_migration(view(), order("oldest"), false), 2U);
  EXPECT_EQ(pick_migration(view(), order("fewest_valid"), false), 3U) << "the older of the two";
}

TEST_F(VictimsTest, a_segment_without_valid_pages_beats_all) {
  seal(1, Region::slc, 10, 4);
  seal(2, Region::slc, 20, 0);
  EXPECT_EQ(pick_migration(view(true), order("oldest"), false), 2U);
}

TEST_F(VictimsTest, average_hotness_is_the_share_of_hot_pages) {
  seal(1, Region::slc, 10, 8, 2);
  EXPECT_EQ(hotness(view(true), 1), kOne / 4);
}

TEST_F(VictimsTest, segments_not_below_the_middle_stay_unless_pressed) {
  seal(1, Region::slc, 10, 4, 4);
  seal(2, Region::slc, 20, 4, 2);
  EXPECT_EQ(pick_migration(view(true), order("oldest"), false), std::nullopt);
  EXPECT_EQ(pick_migration(view(true), order("oldest"), true), 2U) << "the milder one";
  seal(3, Region::slc, 30, 4, 1);
  EXPECT_EQ(pick_migration(view(true), order("oldest"), false), 3U);
  EXPECT_EQ(pick_migration(view(true), order("oldest"), true), 3U) << "cold data first even when pressed";
  EXPECT_EQ(pick_migration(view(false), order("oldest"), false), 1U) << "without locality the oldest";
}

TEST_F(VictimsTest, cleaning_takes_the_most_invalid_pages_of_its_region) {
  seal(1, Region::mlc, 1, 9);
  seal(2, Region::mlc, 2, 7);
  seal(3, Region::slc, 3, 1);
  seal(4, Region::mlc, 4, 7);
  EXPECT_EQ(pick_cleaning(view(), Region::mlc, kVictimSlots, 1), 2U);
  EXPECT_EQ(pick_cleaning(view(), Region::mlc, kVictimSlots, 3), 2U);
  EXPECT_EQ(pick_cleaning(view(), Region::mlc, kVictimSlots, 4), std::nullopt);
  EXPECT_EQ(pick_cleaning(view(), Region::slc, kVictimSlots, 9), 3U);
}

TEST_F(VictimsTest, full_and_unreadable_segments_are_not_cleaned) {
  seal(1, Region::mlc, 1, kVictimSlots);
  seal(2, Region::mlc, 2, 3);
  segments_.mark_unreadable(2, 1);
  EXPECT_EQ(pick_cleaning(view(), Region::mlc, kVictimSlots, 1), std::nullopt);
  segments_.drop_valid(2, 0);
  EXPECT_EQ(pick_cleaning(view(), Region::mlc, kVictimSlots, 1), std::nullopt) << "the lost page is still valid";
  segments_.drop_valid(2, 1);
  EXPECT_EQ(pick_cleaning(view(), Region::mlc, kVictimSlots, 1), 2U);
}

TEST_F(VictimsTest, failed_segments_come_before_those_to_refresh) {
  EXPECT_EQ(pick_urgent(view()), std::nullopt);
  seal(1, Region::mlc, 1, 3);
  seal(2, Region::slc, 2, 3);
  segments_.row(1).refresh = true;
  EXPECT_EQ(pick_urgent(view()), 1U);
  segments_.row(2).retired = true;
  EXPECT_EQ(pick_urgent(view()), 2U);
  segments_.row(1).unreadable = segments_.row(2).unreadable = true;
  EXPECT_EQ(pick_urgent(view()), std::nullopt);
}

TEST_F(VictimsTest, leveling_moves_the_least_erased_segment_once_the_gap_is_reached) {
  EXPECT_EQ(pick_leveling(view(), Region::mlc, 1), std::nullopt);
  seal(1, Region::mlc, 1, kVictimSlots);
  seal(2, Region::mlc, 2, kVictimSlots);
  seal(3, Region::slc, 3, 4);
  segments_.row(1).erase_count = 7;
  segments_.row(2).erase_count = 4;
  segments_.row(5).erase_count = 99;  // fixed
  segments_.push_free(4);
  segments_.row(4).erase_count = 12;
  EXPECT_EQ(pick_leveling(view(), Region::mlc, 9), std::nullopt);
  EXPECT_EQ(pick_leveling(view(), Region::mlc, 8), 2U);
}

TEST_F(VictimsTest, wear_leveling_takes_the_least_erased_free_segment) {
  EXPECT_EQ(pick_free(segments_, *find_named(free_choices(), "fifo")), std::nullopt);
  for (const std::uint32_t id : {3U, 1U, 2U}) segments_.push_free(id);
  segments_.row(3).erase_count = 5;
  segments_.row(1).erase_count = 2;
  segments_.row(2).erase_count = 2;
  EXPECT_EQ(pick_free(segments_, *find_named(free_choices(), "fifo")), 3U);
  EXPECT_EQ(pick_free(segments_, *find_named(free_choices(), "fewest_erases")), 1U) << "of two the one free for longer";
}

}  // namespace
}  // namespace ftlab::flexfs
