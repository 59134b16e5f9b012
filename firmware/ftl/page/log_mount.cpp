// What a mount makes of the pages it finds. A segment that is not full was open before; as many of them as there are
// streams are opened again, so that no room is lost that the cleaning under way then still needs.
#include "firmware/ftl/page/log.h"

namespace ftlab::page {

void Log::found_bad(std::uint32_t segment) {
  flags_[segment].state = SegmentState::bad;
  ++stats_.bad_segments;
}

void Log::found_page(std::uint32_t lpn, std::uint32_t ppn, std::uint64_t sequence) {
  if (sequence > sequence_) sequence_ = sequence;
  if (has_place(map_[lpn])) segments_.drop_valid(segment_of(map_[lpn]));
  map_[lpn] = ppn;
  lpns_[ppn] = lpn;
  segments_.add_valid(segment_of(ppn));
}

void Log::found_segment(std::uint32_t segment, std::uint32_t used) {
  if (flags_[segment].state == SegmentState::bad || used == 0) return;
  const std::uint32_t die = segment / per_die_;
  flags_[segment].state = SegmentState::open;
  const Open found{segment, used};
  for (std::uint32_t stream = 0; used < pages_per_segment_ && stream < streams(); ++stream) {
    if (open(die, stream).segment != kNoSegment) continue;
    open(die, stream) = found;
    return;
  }
  ++dies_[die].settling;
  settled(segment);
}

void Log::found_all(bool erased) {
  for (std::uint32_t segment = 0; segment < geometry_.segments; ++segment) {
    const std::uint32_t die = segment / per_die_;
    if (flags_[segment].state == SegmentState::sealed && segments_.valid(segment) == 0) {
      segments_.take(segment);
      selection_->taken(die);
    } else if (flags_[segment].state != SegmentState::free) {
      continue;
    }
    flags_[segment].erased = erased;
    free_segment(die, segment);
  }
}

}  // namespace ftlab::page
