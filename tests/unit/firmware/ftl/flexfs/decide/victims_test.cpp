#include "firmware/ftl/flexfs/decide/victims.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>

namespace ftlab::flexfs {
namespace {

constexpr std::uint32_t kSegments = 8;
constexpr std::uint32_t kVictimSlots = 10;

class VictimsTest : public testing::Test {
 protected:
  /// Of each segment the share that the test has put down.
  struct HotnessOfTest final : HotPages {
    [[nodiscard]] Q16 hotness(std::uint32_t segment) const override {
      ++asked;
      return shares[segment];
    }
    std::array<Q16, kSegments> shares{};
    mutable std::uint32_t asked = 0;
  };

  /// A full segment, opened at `sequence`, with valid pages of which the first `hot` are of a hot file.
  void seal(std::uint32_t id, Region region, std::uint64_t sequence, std::uint32_t valid, std::uint32_t hot = 0) {
    facts_[id] = {.full = true, .in_use = true, .region = region, .valid = valid, .erases = 0, .opened = sequence};
    hot_.shares[id] = valid == 0 ? 0 : fraction(hot, valid);
  }
  [[nodiscard]] VictimView view(bool locality = false) { return {facts_, locality ? &hot_ : nullptr, probe_}; }
  [[nodiscard]] const MigrationVictim& order(const char* name) { return *find_named(migration_victims(), name); }

  std::array<SegmentFacts, kSegments> facts_{};
  HotnessOfTest hot_;
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

TEST_F(VictimsTest, a_segment_that_still_takes_pages_does_not_migrate) {
  seal(1, Region::slc, 10, 4);
  seal(2, Region::slc, 20, 5);
  facts_[1].full = false;
  EXPECT_EQ(pick_migration(view(), order("oldest"), true), 2U);
  facts_[2].full = false;
  EXPECT_EQ(pick_migration(view(), order("oldest"), true), std::nullopt);
}

TEST_F(VictimsTest, a_segment_without_valid_pages_beats_all) {
  seal(1, Region::slc, 10, 4);
  seal(2, Region::slc, 20, 0);
  EXPECT_EQ(pick_migration(view(true), order("oldest"), false), 2U);
}

TEST_F(VictimsTest, only_segments_that_would_win_are_asked_how_hot_they_are) {
  for (std::uint32_t id = 0; id < kSegments; ++id) seal(id, Region::slc, id, 4);
  EXPECT_EQ(pick_migration(view(true), order("oldest"), false), 0U);
  EXPECT_EQ(hot_.asked, 1U);
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

TEST_F(VictimsTest, segments_of_valid_pages_alone_and_those_that_still_take_some_are_not_cleaned) {
  seal(1, Region::mlc, 1, kVictimSlots);
  EXPECT_EQ(pick_cleaning(view(), Region::mlc, kVictimSlots, 1), std::nullopt);
  seal(2, Region::mlc, 2, 3);
  facts_[2].full = false;
  EXPECT_EQ(pick_cleaning(view(), Region::mlc, kVictimSlots, 1), std::nullopt);
  facts_[2].full = true;
  EXPECT_EQ(pick_cleaning(view(), Region::mlc, kVictimSlots, 1), 2U);
}

TEST_F(VictimsTest, leveling_moves_the_least_erased_segment_once_the_gap_is_reached) {
  EXPECT_EQ(pick_leveling(view(), Region::mlc, 1), std::nullopt);
  seal(1, Region::mlc, 1, kVictimSlots);
  seal(2, Region::mlc, 2, kVictimSlots);
  seal(3, Region::slc, 3, 4);
  facts_[1].erases = 7;
  facts_[2].erases = 4;
  facts_[5].erases = 99;  // of no use to the volume
  facts_[4] = {.in_use = true, .erases = 12};
  EXPECT_EQ(pick_leveling(view(), Region::mlc, 9), std::nullopt);
  EXPECT_EQ(pick_leveling(view(), Region::mlc, 8), 2U);
}

TEST_F(VictimsTest, names_end_behind_the_last_one) {
  for (std::size_t i = 0; i < migration_victims().size(); ++i)
    EXPECT_EQ(migration_victim_name(i), migration_victims()[i].name);
  EXPECT_EQ(migration_victim_name(migration_victims().size()), "");
  for (std::size_t i = 0; i < free_choices().size(); ++i) EXPECT_EQ(free_choice_name(i), free_choices()[i].name);
  EXPECT_EQ(free_choice_name(free_choices().size()), "");
}

}  // namespace
}  // namespace ftlab::flexfs
