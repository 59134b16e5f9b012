// Walks the tables in memory; the flash is not touched.
#include "firmware/fms/fms.h"

namespace ftlab {

using namespace fms;

namespace {

const char* check_segment(const FmsState& s, std::uint32_t id) {
  const SegmentRow& row = s.segments.row(id);
  std::uint32_t valid = 0;
  const char* broken = nullptr;
  s.segments.for_each_valid(id, [&](std::uint32_t slot) {
    ++valid;
    const std::uint32_t ppn = s.segments.ppn(id, slot);
    const std::uint32_t lpn = s.segments.lpn_at(ppn);
    if (slot >= row.used)
      broken = "a slot beyond the used ones is valid";
    else if (lpn >= s.pages.size())
      broken = "a valid slot holds no logical page";
    else if (s.pages.ppn(lpn) != ppn)
      broken = "a valid slot and the translation table disagree";
  });
  if (broken != nullptr) return broken;
  if (valid != row.valid) return "a segment's valid count is not the number of its valid slots";
  if (row.used > s.slots) return "a segment uses more slots than it has";
  switch (row.state) {
    case SegmentState::free:
      return valid != 0 ? "a free segment has valid pages" : nullptr;
    case SegmentState::bad:
      return valid != 0 ? "a bad segment has valid pages" : nullptr;
    case SegmentState::open:
      if (row.stream >= kStreams || s.active[row.stream] != id) return "an open segment is not its stream's active one";
      return row.used >= s.slots ? "an open segment is full" : nullptr;
    case SegmentState::fixed:
      return (!is_nand(s.geometry) && id != kFixedSegment) || valid != 0 ? "a fixed segment is out of place" : nullptr;
    case SegmentState::sealed:
      return row.used != s.slots ? "a sealed segment has unused slots" : nullptr;
  }
  return "a segment has no known state";
}

const char* check_free_list(const FmsState& s) {
  std::uint32_t listed = 0;
  for (std::uint32_t at = s.segments.first_free(); at != kNone; at = s.segments.row(at).next_free) {
    if (at >= s.segments.segments() || s.segments.row(at).state != SegmentState::free)
      return "the free list holds a segment that is not free";
    if (++listed > s.segments.segments()) return "the free list is a ring";
  }
  std::uint32_t free = 0;
  for (const SegmentRow& row : s.segments.rows()) free += row.state == SegmentState::free ? 1U : 0U;
  if (listed != s.segments.free_count() || listed != free) return "a free segment is missing from the free list";
  return nullptr;
}

}  // namespace

const char* Fms::self_check() const {
  if (config_error_ != nullptr) return config_error_;
  if (!state_.mounted) return nullptr;
  if (state_.pending.ppn != kUnmapped || state_.pending.deferred_victim != kNone)
    return "a page is left pending between requests";
  std::uint32_t valid = 0;
  for (std::uint32_t id = 0; id < state_.segments.segments(); ++id) {
    if (const char* broken = check_segment(state_, id)) return broken;
    valid += state_.segments.row(id).valid;
  }
  std::uint32_t mapped = 0;
  for (std::uint32_t lpn = 0; lpn < state_.pages.size(); ++lpn) {
    const std::uint32_t ppn = state_.pages.ppn(lpn);
    if (ppn == kUnmapped) continue;
    ++mapped;
    if (!state_.segments.is_valid(state_.segments.segment_of(ppn), state_.segments.slot_of(ppn)))
      return "a mapped page's slot is not valid";
    if (state_.pages.updates(lpn) == 0) return "a mapped page has no updates";
  }
  if (mapped != state_.pages.mapped() || mapped != valid) return "mapped pages and valid slots differ in number";
  for (StreamId stream = 0; stream < kStreams; ++stream) {
    const std::uint32_t id = state_.active[stream];
    if (id != kNone && state_.segments.row(id).state != SegmentState::open)
      return "a stream's active segment is not open";
  }
  return check_free_list(state_);
}

}  // namespace ftlab
