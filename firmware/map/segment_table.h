// The segments (erase blocks) of a volume, each kept once: what is known of it, how many of its pages are valid and on
// which list it is, which are open and which are free. A die is a log of its own; policies see its segments through a
// SegmentView, which keeps nothing. Knows no flash, no policy and no page's address; one watcher of each die sees every
// change of what its segments hold.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/map/free_segments.h"
#include "firmware/map/listed_segments.h"
#include "firmware/map/segment_record.h"
#include "firmware/map/segment_watcher.h"

namespace ftlab {

class SegmentView;

class SegmentTable {
 public:
  struct Shape {
    std::uint32_t segments = 0;
    std::uint32_t slots = 0;  ///< pages of a segment
    std::uint32_t dies = 1;
    std::uint32_t streams = 1;  ///< open segments of a die, one each
  };

  /// The same code measures and lays out. Not the lists: what they are sorted by somebody else decides. clear() comes
  /// before any other call.
  void layout(Arena& arena, const Shape& shape);
  /// Every segment is free and on no list, of free ones neither, and nobody watches.
  void clear();
  /// The streams of cleaning come first among those of a log, and one of a placement behind them; 0: streams are shown
  /// as they are counted.
  void set_cleaning_streams(std::uint32_t streams) { cleaning_streams_ = streams; }

  [[nodiscard]] std::uint32_t segments() const { return shape_.segments; }
  [[nodiscard]] std::uint32_t slots() const { return shape_.slots; }
  [[nodiscard]] std::uint32_t per_die() const { return per_die_; }
  [[nodiscard]] std::uint32_t die_of(std::uint32_t segment) const { return segment / per_die_; }
  [[nodiscard]] SegmentView view(std::uint32_t die) const;

  [[nodiscard]] ListedSegments& lists() { return lists_; }
  [[nodiscard]] const ListedSegments& lists() const { return lists_; }
  [[nodiscard]] FreeSegments& free() { return free_; }
  [[nodiscard]] const FreeSegments& free() const { return free_; }
  [[nodiscard]] OpenSegment& open(std::uint32_t die, std::uint32_t stream) {
    return open_[die * shape_.streams + stream];
  }
  [[nodiscard]] const OpenSegment& open(std::uint32_t die, std::uint32_t stream) const {
    return open_[die * shape_.streams + stream];
  }
  /// Of all dies, or of one.
  [[nodiscard]] std::span<OpenSegment> open() { return open_; }
  [[nodiscard]] std::span<const OpenSegment> open() const { return open_; }
  [[nodiscard]] std::span<const OpenSegment> open_on(std::uint32_t die) const {
    return std::span<const OpenSegment>(open_).subspan(std::size_t{die} * shape_.streams, shape_.streams);
  }

  [[nodiscard]] SegmentRecord& record(std::uint32_t segment) { return records_[segment]; }
  [[nodiscard]] const SegmentRecord& record(std::uint32_t segment) const { return records_[segment]; }
  [[nodiscard]] std::span<const SegmentRecord> records() const { return records_; }
  [[nodiscard]] SegmentState state(std::uint32_t segment) const { return records_[segment].state; }
  [[nodiscard]] std::uint32_t stream(std::uint32_t segment) const { return records_[segment].stream; }
  [[nodiscard]] std::uint32_t valid(std::uint32_t segment) const { return lists_.valid(segment); }
  /// It takes no more pages, and is on the list that its victims are chosen from.
  [[nodiscard]] bool listed(std::uint32_t segment) const { return lists_.listed(segment); }
  /// Done or queued.
  [[nodiscard]] std::uint32_t erases(std::uint32_t segment) const {
    return records_[segment].erase_count - (records_[segment].counts_ahead ? 1 : 0);
  }
  /// The stream as policies know it.
  [[nodiscard]] StreamId shown_stream(std::uint32_t stream) const {
    if (cleaning_streams_ == 0) return static_cast<StreamId>(stream);
    return stream < cleaning_streams_ ? fms::cleaning_stream(stream) : fms::kReadOnly;
  }

  // --- changes, of which the die's watcher is told ---
  void add_valid(std::uint32_t segment) {
    lists_.add_valid(segment);
    if (is_watched()) tell_write(segment);
  }
  void drop_valid(std::uint32_t segment) {
    lists_.drop_valid(segment);
    if (is_watched()) tell_invalidate(segment);
  }
  void set_state(std::uint32_t segment, SegmentState state) {
    records_[segment].state = state;
    if (is_watched()) tell_state(segment);
  }
  /// Chosen or not for a cleaning of several: no candidate meanwhile.
  void set_cleaning(std::uint32_t segment, bool cleaning) {
    records_[segment].cleaning = cleaning;
    if (is_watched()) tell_state(segment);
  }
  /// It is erased before it takes a page again: that counts from now on.
  void count_next_erase(std::uint32_t segment) {
    count_erase(segment);
    records_[segment].counts_ahead = true;
  }
  /// Its erase is queued.
  void erase(std::uint32_t segment) {
    if (records_[segment].counts_ahead)
      records_[segment].counts_ahead = false;
    else
      count_erase(segment);
  }

  // --- watching ---
  /// Somebody sees every change.
  [[nodiscard]] bool is_watched() const { return __builtin_expect(watched_, false); }
  /// Reports every change of the die's segments from now on; null: to nobody.
  void watch(std::uint32_t die, SegmentWatcher* watcher) {
    watchers_[die] = watcher;
    watched_ = watcher != nullptr;
  }
  /// The same once the table is filled: first passes on every valid page, segments in the order in which they were
  /// taken into use, and every state. `order`: room for a number of each segment of a die. Dies join all, or none.
  void join(std::uint32_t die, SegmentWatcher& watcher, std::span<std::uint32_t> order);

 private:
  void count_erase(std::uint32_t segment);
  // Not inlined into the way of every page, which is slower with them even where nobody watches.
  void tell_write(std::uint32_t segment);
  void tell_invalidate(std::uint32_t segment);
  void tell_state(std::uint32_t segment);

  Shape shape_;
  std::uint32_t per_die_ = 1;
  std::uint32_t cleaning_streams_ = 0;
  bool watched_ = false;
  std::span<SegmentRecord> records_;
  std::span<OpenSegment> open_;          ///< of each die and stream
  std::span<SegmentWatcher*> watchers_;  ///< of each die
  ListedSegments lists_;
  FreeSegments free_;
};

}  // namespace ftlab
