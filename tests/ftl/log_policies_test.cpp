// What policies are told of the page-mapped log while it is mounted, and what they plan and remember.
#include "firmware/volume/clean/log_policies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "firmware/ftl/fms/fms_config.h"
#include "firmware/map/segment_table.h"
#include "firmware/volume/format/checkpoint_page.h"

namespace ftlab::tests {
namespace {

constexpr FlashGeometry kFourDies{
    .segments = 96, .pages_per_segment = 8, .page_bytes = 512, .dies = 4, .rated_erase_cycles = 1000, .buffers = 32};

/// Of four dies and 100 logical pages, as they are before a mount.
class CleanPolicies {
 public:
  explicit CleanPolicies(const FmsConfig& fms) : choice_(fms::choice_of(fms)) { clear(); }

  void clear() {
    Arena arena(memory_.data(), memory_.size());
    segments.layout(arena, {kFourDies.segments, kFourDies.pages_per_segment, kFourDies.dies, 8});
    segments.lists().layout(arena, {kFourDies.segments});
    places = arena.take<std::uint32_t>(100);
    policies.layout(arena, 100, places);
    EXPECT_TRUE(arena.fits());
    segments.clear();
    std::ranges::fill(places, volume::kUnmapped);
    policies.clear();
  }
  /// The page's newest version, by what was found so far; at the end of a mount the segment is full.
  void found(std::uint32_t lpn, std::uint32_t ppn, std::uint64_t sequence) {
    if (volume::has_place(places[lpn])) segments.drop_valid(places[lpn] / kFourDies.pages_per_segment);
    places[lpn] = ppn;
    segments.add_valid(ppn / kFourDies.pages_per_segment);
    segments.set_state(ppn / kFourDies.pages_per_segment, SegmentState::sealed);
    policies.found(lpn, ppn, sequence);
  }

 private:
  fms::PolicyChoice choice_;
  NullProbe probe_;
  std::vector<std::byte> memory_ = std::vector<std::byte>(1U << 20);

 public:
  SegmentTable segments;
  std::span<std::uint32_t> places;  ///< of each logical page
  volume::LogPolicies policies{probe_, kFourDies, segments, &choice_};
};

std::uint32_t place(std::uint32_t segment, std::uint32_t slot) { return segment * kFourDies.pages_per_segment + slot; }

TEST(LogPolicies, a_mount_knows_the_order_of_segments_and_each_die_its_own) {
  FmsConfig fms;
  fms.selection = "fifo";
  CleanPolicies clean(fms);
  volume::LogPolicies& policies = clean.policies;
  EXPECT_FALSE(policies.live());
  // On the second die, the later one first; on the third one segment.
  const std::uint32_t second = kFourDies.segments_per_die();
  const std::uint32_t third = 2 * second;
  clean.found(0, place(second, 1), 50);
  clean.found(1, place(second + 3, 2), 70);
  clean.found(2, place(second + 3, 0), 20);
  clean.found(3, place(third + 5, 0), 10);
  policies.join(70);
  EXPECT_TRUE(policies.live());
  EXPECT_EQ(policies.self_check(), nullptr);
  EXPECT_EQ(policies.pick_victim(0), kNoSegment);
  EXPECT_EQ(policies.pick_victim(1), second + 3);
  EXPECT_EQ(policies.pick_victim(2), third + 5);
  // Both pages of the oldest are written elsewhere: a segment without valid pages beats all others, then it is none.
  clean.segments.drop_valid(second + 3);
  clean.segments.drop_valid(second + 3);
  EXPECT_EQ(policies.pick_victim(1), second + 3);
  clean.segments.set_state(second + 3, SegmentState::bad);
  EXPECT_EQ(policies.pick_victim(1), second);
}

TEST(LogPolicies, pages_of_several_victims_are_planned_together) {
  FmsConfig fms;
  fms.redistribution = "age_sort";
  fms.clean_at_once = 2;
  CleanPolicies clean(fms);
  volume::LogPolicies& policies = clean.policies;
  // On the third die: of the first segment a page from long ago and the newest, of the second one in between.
  const std::uint32_t first = 2 * kFourDies.segments_per_die() + 1;
  const std::uint32_t second = first + 4;
  clean.found(7, place(first, 2), 10);
  clean.found(9, place(first, 5), 90);
  clean.found(8, place(second, 0), 50);
  policies.join(100);
  std::vector<PageMove> moves{{8, 0, 0, second}, {7, 2, 0, first}, {9, 5, 0, first}};
  policies.plan(moves);
  ASSERT_EQ(moves.size(), 3U);
  const auto is = [](const PageMove& move, std::uint32_t lpn, std::uint32_t segment, std::uint32_t slot) {
    return move.lpn == lpn && move.segment == segment && move.slot == slot;
  };
  EXPECT_TRUE(is(moves[0], 7, first, 2));
  EXPECT_TRUE(is(moves[1], 8, second, 0));
  EXPECT_TRUE(is(moves[2], 9, first, 5));
  // One that is chosen for a cleaning is no victim of the same.
  EXPECT_EQ(policies.pick_victim(2), second);
  clean.segments.set_cleaning(second, true);
  EXPECT_EQ(policies.pick_victim(2), first);
  clean.segments.set_cleaning(first, true);
  EXPECT_EQ(policies.pick_victim(2), kNoSegment);
  clean.segments.set_cleaning(second, false);
  EXPECT_EQ(policies.pick_victim(2), second);
}

TEST(LogPolicies, a_mount_from_a_checkpoint_remembers_pages_and_segments) {
  FmsConfig fms;
  fms.selection = "fifo";
  CleanPolicies clean(fms);
  volume::LogPolicies& policies = clean.policies;
  constexpr std::uint32_t kOld = 3;
  constexpr std::uint32_t kOlder = 5;
  constexpr std::uint32_t kNew = 8;
  // By the checkpoint of sequence 500, when the host had written 200 pages.
  clean.found(0, place(kOld, 0), 500);
  clean.found(1, place(kOld, 1), 500);
  clean.found(2, place(kOlder, 0), 500);
  clean.found(5, place(kOlder, 1), 500);
  policies.found_clock({0, 200}, 500);
  policies.found_page(0, {7, 190});
  policies.found_page(1, {4, 20});
  policies.found_page(2, {70'000, 10});
  policies.found_page(5, {2, 1'000'000});
  policies.found_page(3, {9, 30});
  policies.found_page(6, {6, 40});
  policies.found_page(7, {0, 0});
  policies.found_opened(kOld, {0, 150});
  policies.found_opened(kOlder, {0, 90});
  policies.found_opened(kNew, {0, 1});
  // Programmed since, one of them twice.
  clean.found(1, place(kNew, 0), 510);
  clean.found(1, place(kNew, 2), 512);
  clean.found(4, place(kNew, 1), 511);
  clean.found(6, place(kNew, 3), 513);
  clean.found(7, place(kNew, 4), 514);
  policies.join(520);
  const auto remembers = [&](std::uint32_t lpn, std::uint32_t updates, std::uint64_t stamp) {
    const PageHistory history = policies.history_of(lpn);
    return history.updates == updates && history.stamp == stamp;
  };
  EXPECT_EQ(policies.clock(), 220U) << "one tick for each program since";
  EXPECT_TRUE(remembers(0, 7, 190));
  EXPECT_TRUE(remembers(1, 5, 212)) << "one update more, whatever it was";
  EXPECT_TRUE(remembers(2, 65'535, 10)) << "as many as are kept";
  EXPECT_TRUE(remembers(3, 0, 0)) << "it has no place";
  EXPECT_TRUE(remembers(4, 1, 211));
  EXPECT_TRUE(remembers(5, 2, 200)) << "nobody wrote it later than now";
  EXPECT_TRUE(remembers(6, 7, 213)) << "where it lay was erased since";
  EXPECT_TRUE(remembers(7, 1, 214)) << "never written before";
  EXPECT_EQ(clean.segments.record(kOld).opened_stamp, 150U);
  EXPECT_EQ(clean.segments.record(kNew).opened_stamp, 210U);
  EXPECT_EQ(policies.pick_victim(0), kOlder) << "the one that was opened first";
}

TEST(LogPolicies, ages_in_time_go_on_where_the_hosts_clock_begins_anew) {
  FmsConfig fms;
  fms.age_clock = FmsConfig::AgeClock::time;
  CleanPolicies clean(fms);
  volume::LogPolicies& policies = clean.policies;
  policies.join(0);
  constexpr std::uint64_t kYear = 365ULL * 24 * 3600 * 1'000'000'000;
  policies.tick(kYear);
  policies.tick(1000);
  EXPECT_EQ(policies.clock(), kYear) << "it does not run backwards";
  (void)policies.host_stream(7, volume::kUnmapped, false, kNone);
  EXPECT_EQ(policies.clock(), kYear) << "writes do not move it";
  policies.written(7);
  const volume::CheckpointHistory page = policies.page_history(7);
  const volume::CheckpointHistory clock = policies.clock_history();

  CleanPolicies mounted(fms);
  volume::LogPolicies& other = mounted.policies;
  other.tick(500);
  mounted.found(7, 0, 90);
  other.found_clock(clock, 90);
  other.found_page(7, page);
  mounted.found(8, 1, 95);
  other.join(95);
  constexpr std::uint64_t kUnit = 1024;  // nanoseconds, of a stamp in a checkpoint
  EXPECT_EQ(other.history_of(7).stamp, kYear / kUnit * kUnit);
  EXPECT_EQ(other.history_of(8).stamp, kYear / kUnit * kUnit + 1);
  EXPECT_GE(other.clock(), other.history_of(8).stamp);
  const std::uint64_t before = other.clock();
  other.tick(500 + 3000);
  EXPECT_EQ(other.clock(), before + 3000);

  // Of a volume whose ages were counted in writes nothing of it counts.
  mounted.clear();
  mounted.found(7, 0, 90);
  other.found_clock({0, 1234}, 90);
  other.found_page(7, {50, 1000});
  other.join(90);
  EXPECT_EQ(other.history_of(7).updates, 1U);
}

}  // namespace
}  // namespace ftlab::tests
