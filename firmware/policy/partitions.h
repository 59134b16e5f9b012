// Partitions of eNVy (Wu and Zwaenepoel, ASPLOS 1994, as the Flash Memory Server papers summarise it in Table 7): the
// data segments in parts of equally many. A partition is a stream of the redistribution, so that the segments it owns
// are known after a mount, too. Nothing is kept; what is asked costs a look at every segment.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "firmware/map/candidate_index.h"
#include "firmware/map/streams.h"
#include "firmware/policy/policy.h"

namespace ftlab::fms {

class Partitions {
 public:
  explicit Partitions(const PolicySetup& setup)
      : count_(setup.shared.partitions), reserve_(setup.reserve), logical_pages_(setup.logical_pages) {}

  struct Part {
    std::uint32_t owned = 0;       ///< segments, the open one included
    std::uint32_t valid = 0;       ///< pages
    std::uint32_t open_room = 0;   ///< slots
    std::uint32_t oldest = kNone;  ///< candidate for cleaning
  };
  struct Census {
    std::array<Part, kCleaningStreams> parts{};
    std::uint32_t in_use = 0;  ///< data segments that are not bad
    bool cleaning = false;     ///< a victim is chosen, others may join it
  };

  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// Of a page that has no copy yet: by its address, as the pages lie before anything is cleaned.
  [[nodiscard]] std::uint32_t of_new(std::uint32_t lpn) const {
    return static_cast<std::uint32_t>(std::uint64_t{lpn} * count_ / logical_pages_);
  }
  /// Segments of a stream that is none, which another configuration left, count to the last one.
  [[nodiscard]] std::uint32_t of_segment(const CleaningView& view, std::uint32_t segment) const {
    const StreamId stream = view.segments.row(segment).stream;
    return stream == kReadOnly ? count_ - 1 : std::min(cleaning_number(stream), count_ - 1);
  }
  [[nodiscard]] std::uint32_t of_page(const CleaningView& view, std::uint32_t lpn) const {
    const std::uint32_t ppn = view.pages.ppn(lpn);
    return ppn != kUnmapped ? of_segment(view, view.segments.segment_of(ppn)) : of_new(lpn);
  }
  /// Segments that the partition has for itself: what the reserve leaves, the first ones one more where it does not
  /// come out even.
  [[nodiscard]] std::uint32_t share(const Census& census, std::uint32_t partition) const {
    const std::uint32_t segments = census.in_use > reserve_ ? census.in_use - reserve_ : 0;
    return segments / count_ + (partition < segments % count_ ? 1 : 0);
  }
  [[nodiscard]] Census look(const CleaningView& view) const {
    Census census{{}, view.data_segments, false};
    const std::uint32_t slots = view.segments.slots();
    for (std::uint32_t s = 0; s < view.segments.segments(); ++s) {
      const SegmentRow row = view.segments.row(s);
      if (row.state == SegmentState::bad) --census.in_use;
      if (row.state != SegmentState::open && row.state != SegmentState::sealed) continue;
      Part& part = census.parts[of_segment(view, s)];
      ++part.owned;
      census.cleaning = census.cleaning || row.cleaning;
      part.valid += row.valid;
      if (row.state == SegmentState::open) part.open_room += view.segments.room_in(s);
      if (is_candidate(row, slots) &&
          (part.oldest == kNone || row.opened_sequence < view.segments.row(part.oldest).opened_sequence))
        part.oldest = s;
    }
    view.probe.count(Work::segment_compare, view.segments.segments());
    return census;
  }

 private:
  std::uint32_t count_;
  std::uint32_t reserve_;
  std::uint32_t logical_pages_;
};

}  // namespace ftlab::fms
