#include "firmware/volume/self_check.h"

#include "firmware/map/table_check.h"

namespace ftlab {
namespace {

const char* check_volume_segment(const Volume& s, std::uint32_t id) {
  const SegmentRow& row = s.segments.row(id);
  if (const char* broken = check_valid_slots(s.segments, s.pages, id)) return broken;
  if (row.used > s.slots) return "a segment uses more slots than it has";
  switch (row.state) {
    case SegmentState::free:
      return row.valid != 0 ? "a free segment has valid pages" : nullptr;
    case SegmentState::bad:
      return row.valid != 0 ? "a bad segment has valid pages" : nullptr;
    case SegmentState::open:
      if (row.stream >= kMaxStreams || s.active[row.stream] != id)
        return "an open segment is not its stream's active one";
      return row.used >= s.slots ? "an open segment is full" : nullptr;
    case SegmentState::fixed:
      return (!is_nand(s.geometry) && id != nor::kFixedSegment) || row.valid != 0 ? "a fixed segment is out of place"
                                                                                  : nullptr;
    case SegmentState::sealed:
      return row.used != s.slots ? "a sealed segment has unused slots" : nullptr;
  }
  return "a segment has no known state";
}

}  // namespace

const char* check_volume(const Volume& s) {
  if (!s.mounted) return nullptr;
  if (s.replaced.ppn != kUnmapped || s.replaced.deferred_victim != kNone)
    return "a copy is left replaced between requests";
  for (std::uint32_t id = 0; id < s.segments.segments(); ++id)
    if (const char* broken = check_volume_segment(s, id)) return broken;
  if (const char* broken = check_mapped_pages(s.segments, s.pages)) return broken;
  for (std::uint32_t lpn = 0; lpn < s.pages.size(); ++lpn)
    if (s.lost.has(lpn) && s.pages.ppn(lpn) != kUnmapped) return "a lost page is mapped";
  for (StreamId stream = 0; stream < kMaxStreams; ++stream) {
    const std::uint32_t id = s.active[stream];
    if (id != kNone && s.segments.row(id).state != SegmentState::open) return "a stream's active segment is not open";
  }
  return check_free_list(s.segments);
}

}  // namespace ftlab
