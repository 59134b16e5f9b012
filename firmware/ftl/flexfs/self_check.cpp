#include "firmware/ftl/flexfs/self_check.h"

namespace ftlab::flexfs {
namespace {

const char* check_regions(const FlexFsState& s) {
  for (std::uint32_t id = 0; id < s.geometry.segments; ++id) {
    if (!s.segments.is_full(id)) continue;
    if (s.segments.valid(id) > s.slots(s.region_of(id))) return "a segment has more pages than its region fills";
    if (s.segments.is_slc(id) && !s.config.slc_region) return "a segment is filled as SLC without an SLC region";
  }
  return nullptr;
}

const char* check_buffers(const FlexFsState& s) {
  const auto& [slc, mlc] = s.buffers;
  if (!slc.empty() && slc.lpn() == mlc.lpn()) return "both write buffers hold the same page";
  for (const WriteBuffer& buffer : s.buffers) {
    if (buffer.empty()) continue;
    if (buffer.lpn() >= s.config.logical_pages) return "a write buffer holds no logical page";
  }
  if (!s.config.slc_region && !slc.empty()) return "the SLC buffer is in use without an SLC region";
  if (!s.config.mlc_region && !mlc.empty()) return "the MLC buffer is in use without an MLC region";
  return nullptr;
}

}  // namespace

const char* check_tables(const FlexFsState& s) {
  if (const char* broken = s.volume.self_check()) return broken;
  if (const char* broken = check_regions(s)) return broken;
  if (const char* broken = check_buffers(s)) return broken;
  if (s.allocator.alpha() > kOne) return "alpha exceeds 1";
  if (s.wear.delta() > kOne) return "delta exceeds 1";
  return s.queues.self_check();
}

}  // namespace ftlab::flexfs
