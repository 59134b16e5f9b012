// What cleaning does with the victims that a layer chooses.
#include "firmware/volume/cleaner.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "firmware/map/candidate_index.h"
#include "firmware/volume/nor/nor_page_store.h"
#include "tests/fixtures/fms_fixture.h"

namespace ftlab::tests {
namespace {

struct Chosen final : CleaningDecisions {
  std::optional<std::uint32_t> pick_victim() override { return asked++ == 0 ? first : second; }
  std::optional<std::uint32_t> pick_fewest_valid() override { return fewest; }
  void plan(std::span<PageMove> moves) override { planned.emplace_back(moves.begin(), moves.end()); }
  void cleaned() override { ++cleanings; }
  std::uint32_t first = kNone;
  std::uint32_t second = kNone;  ///< where another is asked for
  int asked = 0;
  int cleanings = 0;
  std::vector<std::vector<PageMove>> planned;
  std::uint32_t fewest = kNone;
};

/// A formatted volume with two full segments, 12 and 2 pages valid, and nothing free but slots of the open one.
class CleanerTest : public testing::Test {
 protected:
  explicit CleanerTest(std::uint32_t at_once = 1)
      : volume_(flash_, probe_, config()),
        pool_(volume_),
        frontier_(volume_, pool_),
        store_(volume_, pool_, frontier_),
        cleaner_(volume_, frontier_, pool_, chosen_, {1, 1, at_once}) {
    volume_.store = &store_;
    Arena arena(reinterpret_cast<std::byte*>(memory_.data()), memory_.size() * sizeof(std::max_align_t));
    volume_.layout(arena, volume_.geometry, volume_.config);
    cleaner_.layout(arena);
    volume_.clear();
    EXPECT_EQ(store_.format(), FtlStatus::ok);
    chosen_.first = fill();
    chosen_.fewest = fill();
    for (std::uint32_t slot = 12; slot < volume_.slots; ++slot) drop(chosen_.first, slot);
    for (std::uint32_t slot = 2; slot < volume_.slots; ++slot) drop(chosen_.fewest, slot);
  }
  static VolumeConfig config() {
    VolumeConfig config;
    config.page_bytes = 256;
    config.logical_pages = 60;
    config.reserve_segments = 1;
    return config;
  }
  void append() {
    ASSERT_TRUE(frontier_.has_room(0) || frontier_.open_next(0) == FtlStatus::ok);
    const std::vector<std::byte> data(256, std::byte{0x5A});
    const PageMetadata page{lpn_, 1, 1};
    const auto appended = frontier_.try_append(volume_.active[0], page, data.data());
    ASSERT_TRUE(appended && appended->ok());
    volume_.pages.map(Lpn(lpn_++), Ppn(appended->ppn), 1, 1);
  }
  std::uint32_t fill() {
    append();
    const std::uint32_t segment = volume_.active[0];
    while (volume_.active[0] == segment) append();
    return segment;
  }
  void drop(std::uint32_t segment, std::uint32_t slot) {
    volume_.pages.unmap(volume_.segments.lpn_at(volume_.segments.ppn(segment, slot)));
    volume_.segments.drop_valid(segment, slot);
  }
  void leave_slots(std::uint32_t slots) {
    append();
    while (volume_.slots - volume_.segments.row(volume_.active[0]).used > slots) append();
    while (volume_.segments.free_count() > 0) {
      const std::uint32_t free = volume_.segments.first_free();
      volume_.segments.remove_free(free);
      volume_.segments.set_state(free, SegmentState::fixed);
    }
    ASSERT_EQ(frontier_.room(), slots);
  }

  EmulatedFlash flash_{small_part()};
  NullProbe probe_;
  std::vector<std::max_align_t> memory_ = std::vector<std::max_align_t>(4096);
  Volume volume_;
  SegmentPool pool_;
  WriteFrontier frontier_;
  NorPageStore store_;
  Chosen chosen_;
  Cleaner cleaner_;
  std::uint32_t lpn_ = 0;
};

TEST_F(CleanerTest, victim_whose_pages_fit_is_cleaned_as_chosen) {
  leave_slots(12);
  EXPECT_EQ(cleaner_.clean_some(), FtlStatus::ok);
  EXPECT_EQ(volume_.segments.row(chosen_.first).state, SegmentState::free);
  EXPECT_EQ(volume_.stats.victim_fallbacks, 0U);
}

TEST_F(CleanerTest, victim_that_does_not_fit_gives_way_to_the_fewest_valid_pages_and_that_is_counted) {
  leave_slots(11);
  EXPECT_EQ(cleaner_.clean_some(), FtlStatus::ok);
  EXPECT_EQ(volume_.segments.row(chosen_.first).state, SegmentState::sealed);
  EXPECT_EQ(volume_.segments.row(chosen_.fewest).state, SegmentState::free);
  EXPECT_EQ(volume_.stats.victim_fallbacks, 1U);
  EXPECT_EQ(volume_.stats.cleanings, 1U);
}

TEST_F(CleanerTest, nothing_is_counted_when_not_even_the_fewest_fit) {
  leave_slots(1);
  EXPECT_EQ(cleaner_.clean_some(), FtlStatus::no_space);
  EXPECT_EQ(volume_.stats.victim_fallbacks, 0U);
  EXPECT_EQ(volume_.stats.cleanings, 0U);
}

class CleaningOfTwo : public CleanerTest {
 protected:
  CleaningOfTwo() : CleanerTest(2) { chosen_.second = chosen_.fewest; }
};

TEST_F(CleaningOfTwo, both_are_planned_together_and_released) {
  EXPECT_EQ(cleaner_.clean_some(), FtlStatus::ok);
  ASSERT_EQ(chosen_.planned.size(), 1U);
  ASSERT_EQ(chosen_.planned[0].size(), 14U);
  EXPECT_EQ(chosen_.planned[0].front().segment, chosen_.first);
  EXPECT_EQ(chosen_.planned[0].back().segment, chosen_.second);
  for (const std::uint32_t victim : {chosen_.first, chosen_.second}) {
    EXPECT_EQ(volume_.segments.row(victim).state, SegmentState::free);
    EXPECT_FALSE(volume_.segments.row(victim).cleaning);
  }
  EXPECT_EQ(volume_.stats.cleanings, 2U);
  EXPECT_EQ(volume_.stats.pages_copied, 14U);
  EXPECT_EQ(chosen_.cleanings, 1);
}

TEST_F(CleaningOfTwo, one_is_left_where_only_one_fits_beside_a_free_segment) {
  leave_slots(12);
  EXPECT_EQ(cleaner_.clean_some(), FtlStatus::ok);
  EXPECT_EQ(volume_.segments.row(chosen_.first).state, SegmentState::free);
  EXPECT_EQ(volume_.segments.row(chosen_.second).state, SegmentState::sealed);
  EXPECT_FALSE(volume_.segments.row(chosen_.second).cleaning);
  EXPECT_EQ(volume_.stats.cleanings, 1U);
}

TEST_F(CleaningOfTwo, the_first_is_no_candidate_while_the_second_is_chosen) {
  const auto pick = [&] { return is_candidate(volume_.segments.row(chosen_.first), volume_.slots); };
  EXPECT_TRUE(pick());
  volume_.segments.set_cleaning(chosen_.first, true);
  EXPECT_FALSE(pick());
}

}  // namespace
}  // namespace ftlab::tests
