// What eNVy's policies make of partitions: who owns what, when and what is cleaned, and which pages move.
#include "firmware/policy/partitions.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

using namespace fms;

constexpr std::uint32_t kPartSlots = 10;

/// Three partitions on ten data segments, of which one is the reserve: each has three.
struct Parted : PolicyFixture {
  Parted() : PolicyFixture(11, kPartSlots, 60) { shared.partitions = 3; }
  void own(std::uint32_t segment, std::uint32_t partition, std::uint32_t valid, std::uint64_t sequence) {
    table.record(segment).stream = cleaning_stream(partition);
    table.record(segment).opened_sequence = sequence;
    seal(segment, valid);
  }
  void open(std::uint32_t segment, std::uint32_t partition, std::uint32_t used) {
    table.record(segment).stream = cleaning_stream(partition);
    table.open(0, partition) = {segment, used};
    while (table.valid(segment) < used) table.add_valid(segment);
    table.set_state(segment, SegmentState::open);
  }
  [[nodiscard]] Partitions partitions() const {
    return Partitions({geometry, kPartSlots, pages.size(), shared, 1, &now, reserve});
  }
  /// Segments 1 to 3, 4 to 6 and 7 to 9, each but the last two of a partition full.
  void fill(std::uint32_t valid = 5) {
    for (std::uint32_t segment = 1; segment < 10; ++segment) own(segment, (segment - 1) / 3, valid, 20 - segment);
  }
  std::vector<PageMove> gather(std::uint32_t victim) {
    std::vector<PageMove> moves;
    for (std::uint32_t slot = 0; slot < table.valid(victim); ++slot)
      moves.push_back({slot, static_cast<std::uint16_t>(slot), 0, victim});
    gathering().plan(view(), moves);
    return moves;
  }
  void clean(std::uint32_t segment, int times = 6) {
    (void)gathering();
    for (; times > 0; --times) table.erase(segment);
  }
  Redistribution& gathering() {
    if (policy == nullptr) {
      params.set("gathering_share", 400'000);
      policy = &make(redistribute::locality_gathering, params);
    }
    return *policy;
  }
  PolicyParams params;
  Redistribution* policy = nullptr;
};

std::uint32_t moved(const std::vector<PageMove>& moves, std::uint32_t to) {
  return static_cast<std::uint32_t>(std::ranges::count(moves, to, &PageMove::stream));
}

TEST(Partitions, share_the_segments_that_the_reserve_leaves) {
  Parted f;
  const Partitions partitions = f.partitions();
  const auto shares = [&] {
    const auto census = partitions.look(f.view());
    return std::vector{partitions.share(census, 0), partitions.share(census, 1), partitions.share(census, 2)};
  };
  EXPECT_EQ(shares(), (std::vector{3U, 3U, 3U}));
  f.table.set_state(10, SegmentState::bad);
  EXPECT_EQ(shares(), (std::vector{3U, 3U, 2U}));
}

TEST(Partitions, count_what_each_owns_and_its_oldest_segment_with_garbage) {
  Parted f;
  f.own(1, 0, kPartSlots, 3);
  f.own(2, 0, 9, 8);
  f.own(3, 0, 0, 9);
  f.open(4, 1, 7);
  const auto census = f.partitions().look(f.view());
  EXPECT_EQ(census.parts[0].owned, 3U);
  EXPECT_EQ(census.parts[0].valid, 19U);
  EXPECT_EQ(census.parts[0].open_room, 0U);
  EXPECT_EQ(census.parts[0].oldest, 2U) << "the oldest has none";
  EXPECT_EQ(census.parts[1].owned, 1U);
  EXPECT_EQ(census.parts[1].open_room, 3U);
  EXPECT_EQ(census.parts[1].oldest, kNone);
  EXPECT_EQ(f.probe.of(Work::segment_compare), 11U);
}

TEST(Partitions, take_a_page_by_its_address_until_it_has_a_copy) {
  Parted f;
  f.fill();
  f.write(0, 8 * f.table.slots(), 1, 0);
  auto& policy = f.make(redistribute::locality_preservation);
  EXPECT_EQ(policy.stream_of(f.view(), 0), 2U);
  EXPECT_EQ(policy.stream_of(f.view(), 1), 0U);
  EXPECT_EQ(policy.stream_of(f.view(), 20), 1U);
  EXPECT_EQ(policy.stream_of(f.view(), 59), 2U);
}

TEST(Partitions, segments_of_another_configuration_count_to_the_last) {
  Parted f;
  f.own(1, 7, 5, 1);
  f.table.record(2).stream = kReadOnly;
  EXPECT_EQ(f.partitions().of_segment(f.view(), 1), 2U);
  EXPECT_EQ(f.partitions().of_segment(f.view(), 2), 2U);
}

TEST(PartitionFull, cleans_when_the_partition_has_its_share_and_garbage) {
  Parted f;
  f.fill();
  auto& trigger = f.make(trigger::partition_full);
  const RoomLeft roomy{true, 5, 1, 1, 1};
  f.waiting = 1;
  EXPECT_TRUE(trigger.goes_on(f.view(), roomy));
  for (const std::uint32_t segment : {4U, 5U, 6U}) f.seal(segment, kPartSlots);
  EXPECT_FALSE(trigger.goes_on(f.view(), roomy)) << "there is no garbage";
  f.waiting = 0;
  f.table.set_state(2, SegmentState::free);
  EXPECT_FALSE(trigger.goes_on(f.view(), roomy)) << "it has a segment to come";
  EXPECT_TRUE(trigger.goes_on(f.view(), {true, 1, 1, 1, 1})) << "the reserve";
  EXPECT_FALSE(trigger.goes_on(f.view(), {false, 1, 1, 1, 1}));
  EXPECT_TRUE(trigger.goes_on(f.view(), {false, 0, 1, 1, 1}));
}

TEST(PartitionFifo, takes_the_oldest_of_the_waiting_partition) {
  Parted f;
  f.fill();
  f.seal(5, 1);
  f.waiting = 1;
  auto& selection = f.make(select::partition_fifo);
  EXPECT_EQ(selection.pick(f.view()), 6U) << "not the emptiest";
  f.waiting = kNone;
  EXPECT_EQ(selection.pick(f.view()), 5U) << "nobody waits";
}

TEST(PartitionFifo, takes_from_a_partition_beyond_its_share_first) {
  Parted f;
  f.fill();
  f.table.set_state(4, SegmentState::free);
  f.own(10, 2, 5, 1);
  f.waiting = 1;
  EXPECT_EQ(f.make(select::partition_fifo).pick(f.view()), 10U);
  f.waiting = 0;
  EXPECT_EQ(f.make(select::partition_fifo).pick(f.view()), 3U) << "it has its share";
}

TEST(PartitionFifo, falls_back_to_the_fewest_valid_of_all) {
  Parted f;
  f.fill(kPartSlots);
  f.waiting = 0;
  EXPECT_EQ(f.make(select::partition_fifo).pick(f.view()), std::nullopt);
  f.seal(8, 9);
  EXPECT_EQ(f.make(select::partition_fifo).pick(f.view()), 8U);
}

TEST(PartitionFifo, adds_no_segment_of_another_partition_to_a_cleaning) {
  Parted f;
  f.fill();
  f.waiting = 0;
  auto& selection = f.make(select::partition_fifo);
  for (const std::uint32_t oldest : {3U, 2U, 1U}) {
    EXPECT_EQ(selection.pick(f.view()), oldest);
    f.table.set_cleaning(oldest, true);
  }
  EXPECT_EQ(selection.pick(f.view()), std::nullopt);
}

TEST(LocalityGathering, a_partition_above_the_mean_gives_what_stayed_longest_to_the_next) {
  Parted f;
  f.fill();
  f.open(10, 1, 0);
  f.clean(1);
  const auto moves = f.gather(1);
  EXPECT_EQ(moved(moves, 1), 2U) << "a share of 0.4 of five";
  EXPECT_EQ(moves[0].stream, 1U);
  EXPECT_EQ(moves[1].stream, 1U);
  EXPECT_EQ(moved(moves, 0), 3U);
}

TEST(LocalityGathering, a_partition_below_the_mean_gives_what_was_written_last_to_the_one_before) {
  Parted f;
  f.fill();
  f.open(10, 0, 0);
  f.clean(7);
  const auto moves = f.gather(4);
  EXPECT_EQ(moved(moves, 0), 2U);
  EXPECT_EQ(moves[3].stream, 0U);
  EXPECT_EQ(moves[4].stream, 0U);
  EXPECT_EQ(moved(f.gather(1), 0), 5U) << "there is none before the first";
}

TEST(LocalityGathering, the_last_partition_gives_to_the_one_before_whatever_it_costs) {
  Parted f;
  f.fill();
  f.open(10, 1, 0);
  f.clean(7);
  EXPECT_EQ(moved(f.gather(7), 1), 2U);
}

TEST(LocalityGathering, gives_no_more_than_the_neighbours_open_segment_takes) {
  Parted f;
  f.fill();
  f.clean(1);
  EXPECT_EQ(moved(f.gather(1), 0), 5U) << "it has none open";
  f.open(10, 1, 9);
  EXPECT_EQ(moved(f.gather(1), 1), 1U);
  // Of two partitions cleaned together, too.
  f.own(2, 2, 5, 1);
  std::vector<PageMove> moves{{0, 0, 0, 1}, {1, 1, 0, 1}, {2, 2, 0, 1}, {3, 0, 0, 2}, {4, 1, 0, 2}, {5, 2, 0, 2}};
  f.gathering().plan(f.view(), moves);
  EXPECT_EQ(moved(moves, 1), 1U);
}

TEST(LocalityGathering, forgets_old_cleanings_by_halves) {
  Parted f;
  f.fill();
  f.open(10, 1, 0);
  f.clean(1, 40);
  f.clean(4, 400);
  EXPECT_EQ(moved(f.gather(1), 0), 5U) << "it was the busiest long ago";
}

}  // namespace
}  // namespace ftlab::tests
