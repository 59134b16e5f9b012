// Walks the tables in memory; the flash is not touched.
#include "firmware/flexfs/flexfs.h"

namespace ftlab {

using namespace flexfs;

namespace {

const char* check_segment(const FlexFsState& s, std::uint32_t id) {
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
      broken = "a valid slot and the page table disagree";
  });
  if (broken != nullptr) return broken;
  if (valid != row.valid) return "a segment's valid count is not the number of its valid slots";
  const bool written = row.state == SegmentState::open || row.state == SegmentState::sealed;
  if (!written) return valid != 0 ? "a segment out of use has valid pages" : nullptr;
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

const char* check_free_list(const FlexFsState& s) {
  std::uint32_t listed = 0;
  for (std::uint32_t at = s.segments.first_free(); at != kNone; at = s.segments.row(at).next_free) {
    if (at >= s.segments.segments() || s.segments.row(at).state != SegmentState::free)
      return "the free list holds a segment that is not free";
    if (++listed > s.segments.segments()) return "the free list is a ring";
  }
  std::uint32_t free = 0;
  std::uint32_t usable = 0;
  for (const SegmentRow& row : s.segments.rows()) {
    free += row.state == SegmentState::free ? 1U : 0U;
    usable += row.state != SegmentState::fixed && row.state != SegmentState::bad ? 1U : 0U;
  }
  if (listed != s.segments.free_count() || listed != free) return "a free segment is missing from the free list";
  return usable == s.usable_segments ? nullptr : "segments that carry data are miscounted";
}

const char* check_pages(const FlexFsState& s) {
  std::uint32_t mapped = 0;
  for (std::uint32_t lpn = 0; lpn < s.pages.size(); ++lpn) {
    const std::uint32_t ppn = s.pages.ppn(lpn);
    if (ppn == kUnmapped) continue;
    ++mapped;
    if (!s.segments.is_valid(s.segments.segment_of(ppn), s.segments.slot_of(ppn)))
      return "a mapped page's slot is not valid";
    if (s.pages.updates(lpn) == 0) return "a mapped page has no updates";
    if (s.sequences[lpn] == 0 || s.sequences[lpn] > s.sequence) return "a mapped page has a sequence not given away";
  }
  return mapped == s.pages.mapped() ? nullptr : "mapped pages are miscounted";
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
  std::uint64_t valid = 0;
  for (const SegmentRow& row : s.segments.rows()) valid += row.valid;
  if (valid != s.pages.mapped()) return "mapped pages and valid slots differ in number";
  for (const std::uint32_t log : s.log)
    if (log != kNone && s.segments.row(log).state != SegmentState::open) return "a region's log is not open";
  return s.queues.self_check();
}

}  // namespace

const char* FlexFs::self_check() const {
  if (config_error_ != nullptr) return config_error_;
  if (!state_.mounted) return nullptr;
  for (std::uint32_t id = 0; id < state_.segments.segments(); ++id)
    if (const char* broken = check_segment(state_, id)) return broken;
  if (const char* broken = check_pages(state_)) return broken;
  if (const char* broken = check_free_list(state_)) return broken;
  if (const char* broken = check_buffers(state_)) return broken;
  return check_policies(state_);
}

}  // namespace ftlab
