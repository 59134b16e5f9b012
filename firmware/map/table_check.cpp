#include "firmware/map/table_check.h"

namespace ftlab {

const char* check_valid_slots(const SegmentTable& segments, const PageTable& pages, std::uint32_t segment) {
  const SegmentRow& row = segments.row(segment);
  std::uint32_t valid = 0;
  const char* broken = nullptr;
  segments.for_each_valid(segment, [&](std::uint32_t slot) {
    ++valid;
    const std::uint32_t ppn = segments.ppn(segment, slot);
    const std::uint32_t lpn = segments.lpn_at(ppn);
    if (slot >= row.used)
      broken = "a slot beyond the used ones is valid";
    else if (lpn >= pages.size())
      broken = "a valid slot holds no logical page";
    else if (pages.ppn(lpn) != ppn)
      broken = "a valid slot and the page table disagree";
  });
  if (broken != nullptr) return broken;
  return valid == row.valid ? nullptr : "a segment's valid count is not the number of its valid slots";
}

const char* check_free_list(const SegmentTable& segments) {
  std::uint32_t listed = 0;
  for (std::uint32_t at = segments.first_free(); at != kNone; at = segments.row(at).next_free) {
    if (at >= segments.segments() || segments.row(at).state != SegmentState::free)
      return "the free list holds a segment that is not free";
    if (++listed > segments.segments()) return "the free list is a ring";
  }
  std::uint32_t free = 0;
  for (const SegmentRow& row : segments.rows()) free += row.state == SegmentState::free ? 1U : 0U;
  return listed == segments.free_count() && listed == free ? nullptr : "a free segment is missing from the free list";
}

const char* check_mapped_pages(const SegmentTable& segments, const PageTable& pages) {
  std::uint32_t mapped = 0;
  std::uint64_t updates = 0;
  for (std::uint32_t lpn = 0; lpn < pages.size(); ++lpn) {
    const std::uint32_t ppn = pages.ppn(lpn);
    if (ppn == kUnmapped) continue;
    ++mapped;
    if (!segments.is_valid(segments.segment_of(ppn), segments.slot_of(ppn))) return "a mapped page's slot is not valid";
    updates += pages.updates(lpn);
    if (pages.updates(lpn) == 0) return "a mapped page has no updates";
  }
  if (mapped != pages.mapped()) return "mapped pages are miscounted";
  if (updates != pages.updates_sum()) return "updates of mapped pages are not summed up";
  std::uint64_t valid = 0;
  for (const SegmentRow& row : segments.rows()) valid += row.valid;
  return mapped == valid ? nullptr : "mapped pages and valid slots differ in number";
}

}  // namespace ftlab
