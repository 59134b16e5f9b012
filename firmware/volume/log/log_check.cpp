#include "firmware/volume/log/log_check.h"

namespace ftlab::volume {

const char* LogCheck::tables() const {
  std::uint64_t mapped = 0;
  for (std::uint32_t lpn = 0; lpn < log_.map_.size(); ++lpn) {
    if (!has_place(log_.map_[lpn])) continue;
    ++mapped;
    if (log_.map_[lpn] >= log_.lpns_.size()) return "a logical page is mapped beyond the array";
    if (log_.lpns_[log_.map_[lpn]] != lpn) return "a place does not know whose page it holds";
    const std::uint32_t segment = log_.segment_of(log_.map_[lpn]);
    const SegmentState state = log_.segments_.state(segment);
    if (state == SegmentState::bad) return "a valid page lies in a bad segment";
    if (state == SegmentState::free && !log_.flags_[segment].regained) return "a valid page lies in a free segment";
  }
  std::uint64_t valid = 0;
  std::uint32_t due = 0;
  for (std::uint32_t segment = 0; segment < log_.geometry_.segments; ++segment) {
    std::uint32_t here = 0;
    for (std::uint32_t i = 0; i < log_.pages_per_segment_; ++i) {
      const std::uint32_t ppn = segment * log_.pages_per_segment_ + i;
      if (log_.is_mapped(ppn)) ++here;
    }
    if (here != log_.segments_.valid(segment)) return "valid pages of a segment are miscounted";
    if (log_.segments_.listed(segment) != (log_.segments_.state(segment) == SegmentState::sealed))
      return "a full segment is on no list, or another one is";
    if ((log_.flags_[segment].copies > 0) != (log_.flags_[segment].copying > 0))
      return "copies of a segment are miscounted";
    valid += here;
    if (log_.flags_[segment].due &&
        (log_.segments_.state(segment) != SegmentState::free || log_.flags_[segment].erased))
      return "a segment is to be erased that is in use, or erased";
    due += log_.flags_[segment].due ? 1 : 0;
  }
  if (due != log_.due_) return "segments to be erased are miscounted";
  if (valid != mapped) return "two places hold the same logical page";
  for (std::uint32_t group = 0; group < log_.geometry_.dies * log_.own_.pools(); ++group) {
    std::uint64_t listed = 0;
    for (std::uint32_t segment = 0; segment < log_.geometry_.segments; ++segment)
      if (log_.segments_.listed(segment) && log_.segments_.lists().group_of(segment) == group)
        listed += log_.segments_.valid(segment);
    if (listed != log_.segments_.lists().valid_in(group)) return "valid pages of full segments are miscounted";
  }
  for (std::uint32_t die = 0; die < log_.geometry_.dies; ++die) {
    std::uint32_t free = 0;
    for (std::uint32_t id = log_.segments_.free().first(die); id != kNoSegment && free <= log_.per_die_;
         id = log_.segments_.free().next(id), ++free)
      if (id / log_.per_die_ != die || log_.segments_.state(id) != SegmentState::free)
        return "the free list holds what is not free";
    if (free != log_.segments_.free().count(die)) return "free segments are miscounted";
    std::uint32_t in_use = 0;
    for (std::uint32_t segment = die * log_.per_die_; segment < (die + 1) * log_.per_die_; ++segment) {
      const SegmentState state = log_.segments_.state(segment);
      in_use += state != SegmentState::fixed && state != SegmentState::bad ? 1 : 0;
    }
    if (in_use != log_.dies_[die].in_use) return "segments that the volume uses are miscounted";
  }
  if (const char* broken = units()) return broken;
  if (const char* broken = slc()) return broken;
  return log_.policies_.live() ? policies() : nullptr;
}

const char* LogCheck::units() const {
  std::uint32_t waiting = 0;
  for (const OpenSegment& open : log_.segments_.open()) {
    waiting += open.host_pages;
    if (log_.geometry_.place_in_unit(open.used) < open.host_pages)
      return "more pages of the host wait for a program unit than it has taken";
  }
  return waiting == log_.waiting_ ? nullptr : "pages that wait for their program units are miscounted";
}

const char* LogCheck::slc() const {
  const SlcSegments& slc = log_.slc_;
  if (!slc.on()) return nullptr;
  for (std::uint32_t die = 0; die < log_.geometry_.dies; ++die) {
    std::uint32_t filled = 0;
    for (std::uint32_t segment = die * log_.per_die_; segment < (die + 1) * log_.per_die_; ++segment) {
      if (!slc.has(segment)) continue;
      ++filled;
      if (log_.segments_.state(segment) == SegmentState::free) return "a free segment counts as filled as SLC";
      for (std::uint32_t place = 0; place < log_.pages_per_segment_; ++place)
        if (!slc.places().has(place) && log_.is_mapped(segment * log_.pages_per_segment_ + place))
          return "a valid page lies in an MSB page of a segment that is filled as SLC";
    }
    if (filled != slc.in_use(die)) return "segments that are filled as SLC are miscounted";
  }
  for (const OpenSegment& open : log_.segments_.open())
    if (open.segment != kNoSegment && slc.has(open.segment) && !slc.places().has(open.used))
      return "an MSB page comes next in a segment that is filled as SLC";
  return nullptr;
}

const char* LogCheck::policies() const {
  for (std::uint32_t lpn = 0; lpn < log_.map_.size(); ++lpn)
    if (log_.policies_.knows(lpn) != has_place(log_.map_[lpn]))
      return "policies remember a page that lies nowhere, or not one that does";
  return log_.policies_.self_check();
}

}  // namespace ftlab::volume
