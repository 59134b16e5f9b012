// Walks the tables in memory; the flash is not touched.
#include "firmware/ftl/fms/fms.h"
#include "firmware/map/table_check.h"

namespace ftlab {

using namespace fms;

namespace {

const char* check_segment(const FmsState& s, std::uint32_t id) {
  const SegmentRow& row = s.segments.row(id);
  if (const char* broken = check_valid_slots(s.segments, s.pages, id)) return broken;
  if (row.used > s.slots) return "a segment uses more slots than it has";
  switch (row.state) {
    case SegmentState::free:
      return row.valid != 0 ? "a free segment has valid pages" : nullptr;
    case SegmentState::bad:
      return row.valid != 0 ? "a bad segment has valid pages" : nullptr;
    case SegmentState::open:
      if (row.stream >= kStreams || s.active[row.stream] != id) return "an open segment is not its stream's active one";
      return row.used >= s.slots ? "an open segment is full" : nullptr;
    case SegmentState::fixed:
      return (!is_nand(s.geometry) && id != kFixedSegment) || row.valid != 0 ? "a fixed segment is out of place"
                                                                             : nullptr;
    case SegmentState::sealed:
      return row.used != s.slots ? "a sealed segment has unused slots" : nullptr;
  }
  return "a segment has no known state";
}

}  // namespace

const char* Fms::self_check() const {
  if (config_error_ != nullptr) return config_error_;
  if (!state_.mounted) return nullptr;
  if (state_.pending.ppn != kUnmapped || state_.pending.deferred_victim != kNone)
    return "a page is left pending between requests";
  for (std::uint32_t id = 0; id < state_.segments.segments(); ++id)
    if (const char* broken = check_segment(state_, id)) return broken;
  if (const char* broken = check_mapped_pages(state_.segments, state_.pages)) return broken;
  for (std::uint32_t lpn = 0; lpn < state_.pages.size(); ++lpn)
    if (state_.lost.has(lpn) && state_.pages.ppn(lpn) != kUnmapped) return "a lost page is mapped";
  for (StreamId stream = 0; stream < kStreams; ++stream) {
    const std::uint32_t id = state_.active[stream];
    if (id != kNone && state_.segments.row(id).state != SegmentState::open)
      return "a stream's active segment is not open";
  }
  return check_free_list(state_.segments);
}

}  // namespace ftlab
