// Cleaning in steps of one page, of segments that somebody else has chosen, for a layer that spreads it over time.
// Queues operations; who waits for them is the layer. Of a volume of one die.
#pragma once

#include <algorithm>
#include <cstdint>

#include "firmware/volume/reclaim/cleaning.h"

namespace ftlab::volume {

class PageByPage {
 public:
  PageByPage(Log& log, Moves& moves, Cleaning& cleaning) : log_(log), moves_(moves), cleaning_(cleaning) {}

  /// To be filled: not those that stand in for others which failed, until these are out of use.
  [[nodiscard]] std::uint32_t free_segments() const {
    const std::uint32_t free = log_.segments_.free().count(0);
    const std::uint32_t used = log_.config_.used_segments;
    const std::uint32_t in_use = log_.dies_[0].in_use;
    return used == 0 || in_use <= used ? free : free - std::min(free, in_use - used);
  }
  /// The stream has an open segment.
  [[nodiscard]] bool has_room(std::uint32_t stream) const {
    return log_.segments_.open(0, stream).segment != kNoSegment;
  }
  /// It takes no more pages, and may be cleaned.
  [[nodiscard]] bool is_full(std::uint32_t segment) const { return log_.segments_.listed(segment); }
  /// It is not bad, nor left out because the volume uses fewer.
  [[nodiscard]] bool is_used(std::uint32_t segment) const {
    const SegmentState state = log_.segments_.state(segment);
    return state != SegmentState::fixed && state != SegmentState::bad;
  }
  [[nodiscard]] bool is_slc(std::uint32_t segment) const { return log_.slc_.has(segment); }
  [[nodiscard]] std::uint32_t valid(std::uint32_t segment) const { return log_.segments_.valid(segment); }
  [[nodiscard]] std::uint32_t erases(std::uint32_t segment) const { return log_.segments_.erases(segment); }
  /// Only where segments may be filled as SLC; see SlcSegments::opened_at().
  [[nodiscard]] std::uint64_t opened_at(std::uint32_t segment) const {
    return log_.slc_.on() ? log_.slc_.opened_at(segment) : 0;
  }
  /// Gives `take` the logical page of each valid one of the segment.
  template <class Take>
  void for_each_page(std::uint32_t segment, Take&& take) const {
    const std::uint32_t first = segment * log_.pages_per_segment_;
    for (std::uint32_t place = first; place < first + log_.pages_per_segment_; ++place)
      if (log_.is_mapped(place)) take(log_.lpns_[place]);
  }

  /// Copies the first valid page of a full segment, of which it has one; false: there is no room.
  bool move_one(std::uint32_t segment, Cause cause);
  /// A full segment without valid pages becomes free.
  void reclaim(std::uint32_t segment, Cause cause) { (void)cleaning_.clean_named(segment, cause); }

 private:
  Log& log_;
  Moves& moves_;
  Cleaning& cleaning_;
};

}  // namespace ftlab::volume
