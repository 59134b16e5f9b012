// What checkpoints need of the log: segments to lie in, and what it knows of each.
#include "firmware/ftl/page/log.h"

namespace ftlab::page {

std::uint32_t Log::allocate_segment(std::uint32_t die) {
  const CauseScope cause(probe_, Cause::metadata);
  while (dies_[die].free <= reserve_)
    if (!clean_one(die)) return kNoSegment;
  const std::uint32_t segment = take_free(die);
  if (segment == kNoSegment) return kNoSegment;
  flags_[segment].state = SegmentState::open;
  if (!flags_[segment].erased) {
    queue({ArrayOpKind::erase, false, kTag, segment * pages_per_segment_});
    ++erases_[segment];
    ++stats_.log_erases;
  }
  flags_[segment].erased = false;
  return segment;
}

void Log::release_segment(std::uint32_t segment) { release(segment / per_die_, segment); }

CheckpointRow Log::row_of(std::uint32_t segment) const {
  CheckpointRow row;
  row.erases = erases_[segment];
  row.stream = stream_of_[segment];
  for (const Open& open : open_)
    if (open.segment == segment) row.open_at = static_cast<std::uint16_t>(open.used);
  return row;
}

void Log::found_held(std::uint32_t segment) { flags_[segment].state = SegmentState::open; }

}  // namespace ftlab::page
