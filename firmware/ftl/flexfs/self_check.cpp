#include "firmware/ftl/flexfs/self_check.h"

#include "firmware/map/table_check.h"

namespace ftlab::flexfs {
namespace {

const char* check_segment(const FlexFsState& s, std::uint32_t id) {
  const SegmentRow& row = s.segments.row(id);
  if (const char* broken = check_valid_slots(s.segments, s.pages, id)) return broken;
  const bool written = row.state == SegmentState::open || row.state == SegmentState::sealed;
  if (!written) return row.valid != 0 ? "a segment out of use has valid pages" : nullptr;
  if (row.stream >= kRegions || row.mode != mode_of(static_cast<Region>(row.stream)))
    return "a segment is not written as its region is";
  const std::uint32_t slots = s.store.slots(row.mode);
  if (row.state == SegmentState::sealed) {
    if (s.store.is_open(id)) return "a sealed segment still has a summary buffer";
    return row.used != slots ? "a sealed segment has unused slots" : nullptr;
  }
  if (s.log[row.stream] != id) return "an open segment is not its region's log";
  if (!s.store.is_open(id)) return "an open segment has no summary buffer";
  if (row.retired) return "a failed segment is open";
  return row.used >= slots ? "a log segment has no room" : nullptr;
}

const char* check_usable(const FlexFsState& s) {
  std::uint32_t usable = 0;
  for (const SegmentRow& row : s.segments.rows())
    usable += row.state != SegmentState::fixed && row.state != SegmentState::bad ? 1U : 0U;
  return usable == s.usable_segments ? nullptr : "segments that carry data are miscounted";
}

const char* check_sequences(const FlexFsState& s) {
  for (std::uint32_t lpn = 0; lpn < s.pages.size(); ++lpn) {
    if (s.pages.ppn(lpn) == kUnmapped) continue;
    if (s.lost.has(lpn)) return "a lost page is mapped";
    if (s.sequences[lpn] == 0 || s.sequences[lpn] > s.sequence) return "a mapped page has a sequence not given away";
  }
  return nullptr;
}

const char* check_buffers(const FlexFsState& s) {
  const auto& [slc, mlc] = s.buffers;
  if (!slc.empty() && slc.lpn() == mlc.lpn()) return "both write buffers hold the same page";
  for (const WriteBuffer& buffer : s.buffers) {
    if (buffer.empty()) continue;
    if (buffer.lpn() >= s.pages.size()) return "a write buffer holds no logical page";
  }
  if (!s.config.slc_region && !slc.empty()) return "the SLC buffer is in use without an SLC region";
  if (!s.config.mlc_region && !mlc.empty()) return "the MLC buffer is in use without an MLC region";
  return nullptr;
}

const char* check_policies(const FlexFsState& s) {
  if (s.allocator.alpha() > kOne) return "alpha exceeds 1";
  if (s.wear.delta() > kOne) return "delta exceeds 1";
  for (const std::uint32_t log : s.log)
    if (log != kNone && s.segments.row(log).state != SegmentState::open) return "a region's log is not open";
  return s.queues.self_check();
}

}  // namespace

const char* check_tables(const FlexFsState& s) {
  for (std::uint32_t id = 0; id < s.segments.segments(); ++id)
    if (const char* broken = check_segment(s, id)) return broken;
  if (const char* broken = check_mapped_pages(s.segments, s.pages)) return broken;
  if (const char* broken = check_sequences(s)) return broken;
  if (const char* broken = check_free_list(s.segments)) return broken;
  if (const char* broken = check_usable(s)) return broken;
  if (const char* broken = check_buffers(s)) return broken;
  return check_policies(s);
}

}  // namespace ftlab::flexfs
