// What a view of one die shows of the volume's segments, and what its watcher is told.
#include "firmware/map/segment_table.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <vector>

#include "firmware/map/segment_view.h"
#include "tests/fixtures/laid_out.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kOnDie = 4;
constexpr std::uint32_t kPagesOfEach = 8;
using Ids = std::vector<std::uint32_t>;

/// Keeps the segments of every change.
class Changes final : public SegmentWatcher {
 public:
  void clear() override { writes = invalidated = states = erases = {}; }
  void on_write(const SegmentView&, std::uint32_t segment) override { writes.push_back(segment); }
  void on_invalidate(const SegmentView&, std::uint32_t segment) override { invalidated.push_back(segment); }
  void on_erase(const SegmentView& segments, std::uint32_t segment) override {
    erases.push_back(segments.row(segment).erase_count);
  }
  void on_state(const SegmentView&, std::uint32_t segment) override { states.push_back(segment); }

  Ids writes;
  Ids invalidated;
  Ids states;
  Ids erases;  ///< counts
};

/// Two dies of four segments, two streams on each.
class SegmentTableTest : public testing::Test {
 protected:
  SegmentTableTest() {
    memory_ = laid_out([this](Arena& arena) {
      table_.layout(arena, {2 * kOnDie, kPagesOfEach, 2, 2});
      table_.lists().layout(arena, {2 * kOnDie});
      order_ = arena.take<std::uint32_t>(kOnDie);
    });
    table_.clear();
  }
  void join() {
    table_.join(0, first_, order_);
    table_.join(1, second_, order_);
  }

  std::vector<std::max_align_t> memory_;
  SegmentTable table_;
  std::span<std::uint32_t> order_;
  Changes first_;
  Changes second_;
};

TEST_F(SegmentTableTest, a_view_shows_the_segments_of_its_die_alone) {
  table_.lists().add_valid(6, 3);
  table_.record(6) = {.opened_stamp = 9, .erase_count = 5, .state = SegmentState::open, .stream = 1};
  table_.open(1, 1) = {6, 3};
  for (const std::uint32_t free : {7U, 5U}) table_.free().put(1, free);
  const SegmentView view = table_.view(1);
  EXPECT_EQ(view.segments(), kOnDie);
  const SegmentRow row = view.row(2);
  EXPECT_EQ(row.id, 2U);
  EXPECT_EQ(row.valid, 3U);
  EXPECT_EQ(row.opened_stamp, 9U);
  EXPECT_EQ(row.erase_count, 5U);
  EXPECT_EQ(row.state, SegmentState::open);
  EXPECT_EQ(view.segment_of(6 * kPagesOfEach + 7), 2U);
  EXPECT_EQ(view.room_in(2), kPagesOfEach - 3);
  EXPECT_EQ(view.room_in(1), 0U) << "it is open for no stream";
  EXPECT_EQ(view.first_free(), 3U) << "the one that became free first";
  EXPECT_EQ(table_.view(0).first_free(), kNone);
}

TEST_F(SegmentTableTest, streams_are_shown_as_policies_count_them) {
  EXPECT_EQ(table_.shown_stream(3), 3U);
  table_.set_cleaning_streams(3);
  EXPECT_EQ(table_.shown_stream(1), fms::kCold);
  EXPECT_EQ(table_.shown_stream(2), fms::cleaning_stream(2));
  EXPECT_EQ(table_.shown_stream(3), fms::kReadOnly);
}

TEST_F(SegmentTableTest, an_erase_counts_once_where_it_was_counted_ahead) {
  join();
  table_.count_next_erase(5);
  EXPECT_EQ(table_.view(1).row(1).erase_count, 1U);
  EXPECT_EQ(table_.erases(5), 0U) << "it is still to come";
  table_.erase(5);
  EXPECT_EQ(table_.erases(5), 1U);
  table_.erase(5);
  EXPECT_EQ(table_.erases(5), 2U);
  EXPECT_EQ(second_.erases, (Ids{1, 2}));
  EXPECT_TRUE(first_.erases.empty());
}

TEST_F(SegmentTableTest, who_joins_sees_pages_in_the_order_of_their_segments_then_changes) {
  table_.lists().add_valid(1, 2);
  table_.lists().add_valid(3, 1);
  table_.lists().add_valid(4, 1);
  table_.record(1).opened_sequence = 8;
  table_.record(3).opened_sequence = 7;
  join();
  EXPECT_EQ(first_.writes, (Ids{3, 1, 1}));
  EXPECT_EQ(first_.states, (Ids{0, 1, 2, 3}));
  EXPECT_EQ(second_.writes, (Ids{0}));
  table_.add_valid(6);
  table_.drop_valid(4);
  table_.set_state(7, SegmentState::bad);
  table_.set_cleaning(6, true);
  EXPECT_EQ(second_.writes, (Ids{0, 2}));
  EXPECT_EQ(second_.invalidated, (Ids{0}));
  EXPECT_EQ(second_.states, (Ids{0, 1, 2, 3, 3, 2}));
  EXPECT_EQ(first_.writes.size(), 3U);
  EXPECT_EQ(table_.valid(6), 1U);
}

}  // namespace
}  // namespace ftlab::tests
