// The invariants of the log, walked over all pages.
#include "firmware/ftl/page/log.h"

namespace ftlab::page {

const char* Log::self_check() const {
  std::uint64_t mapped = 0;
  for (std::uint32_t lpn = 0; lpn < map_.size(); ++lpn) {
    if (!has_place(map_[lpn])) continue;
    ++mapped;
    if (map_[lpn] >= lpns_.size()) return "a logical page is mapped beyond the array";
    if (lpns_[map_[lpn]] != lpn) return "a place does not know whose page it holds";
    const Flags& flags = flags_[segment_of(map_[lpn])];
    if (flags.state == SegmentState::bad) return "a valid page lies in a bad segment";
    if (flags.state == SegmentState::free && !flags.regained) return "a valid page lies in a free segment";
  }
  std::uint64_t valid = 0;
  for (std::uint32_t segment = 0; segment < geometry_.segments; ++segment) {
    std::uint32_t here = 0;
    for (std::uint32_t i = 0; i < pages_per_segment_; ++i) {
      const std::uint32_t ppn = segment * pages_per_segment_ + i;
      if (lpns_[ppn] != kUnmapped && map_[lpns_[ppn]] == ppn) ++here;
    }
    if (here != segments_.valid(segment)) return "valid pages of a segment are miscounted";
    if (segments_.listed(segment) != (flags_[segment].state == SegmentState::sealed))
      return "a full segment is on no list, or another one is";
    valid += here;
  }
  if (valid != mapped) return "two places hold the same logical page";
  for (std::uint32_t die = 0; die < geometry_.dies; ++die) {
    std::uint32_t free = 0;
    for (std::uint32_t id = dies_[die].first_free; id != kNoSegment && free <= per_die_; id = next_free_[id], ++free)
      if (id / per_die_ != die || flags_[id].state != SegmentState::free) return "the free list holds what is not free";
    if (free != dies_[die].free) return "free segments are miscounted";
  }
  return nullptr;
}

}  // namespace ftlab::page
