// The segments of one die as policies see them: the lookup table of the papers. Keeps nothing; segments are counted
// from the die's first.
#pragma once

#include <cstdint>

#include "firmware/map/segment_table.h"

namespace ftlab {

class SegmentView {
 public:
  SegmentView(const SegmentTable& table, std::uint32_t die)
      : table_(&table), die_(die), first_(die * table.per_die()) {}

  [[nodiscard]] std::uint32_t segments() const { return table_->per_die(); }
  [[nodiscard]] std::uint32_t slots() const { return table_->slots(); }
  [[nodiscard]] SegmentRow row(std::uint32_t segment) const {
    const SegmentRecord& kept = table_->record(first_ + segment);
    return {kept.opened_stamp,
            kept.opened_sequence,
            kept.erase_count,
            segment,
            table_->valid(first_ + segment),
            kept.state,
            table_->shown_stream(kept.stream),
            kept.retired,
            kept.cleaning};
  }
  /// Of a place of the log, which is one of this die.
  [[nodiscard]] std::uint32_t segment_of(std::uint32_t ppn) const { return ppn / slots() - first_; }
  /// Pages that the segment still takes: none, unless it is open for some stream.
  [[nodiscard]] std::uint32_t room_in(std::uint32_t segment) const {
    for (const OpenSegment& open : table_->open_on(die_))
      if (open.segment == first_ + segment) return slots() - open.used;
    return 0;
  }
  /// The one that became free first; kNone: none is.
  [[nodiscard]] std::uint32_t first_free() const {
    const std::uint32_t first = table_->free().first(die_);
    return first == kNone ? kNone : first - first_;
  }

 private:
  const SegmentTable* table_;
  std::uint32_t die_;
  std::uint32_t first_;
};

inline SegmentView SegmentTable::view(std::uint32_t die) const { return {*this, die}; }

}  // namespace ftlab
