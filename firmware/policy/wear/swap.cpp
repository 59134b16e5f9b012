// Near end of life the most and the least erased segment change places: once the most erased one is free, the data
// of the least erased one (it is rarely written, or it would have been erased) moves there to rest.
#include "firmware/policy/policies.h"

namespace ftlab::fms {

std::optional<WearMove> pick_swap(const CleaningView& view, const WearLimits& limits) {
  const auto rows = view.segments.rows();
  WearMove move;
  std::uint32_t most = 0;
  std::uint32_t least = kNone;
  for (std::uint32_t s = 0; s < rows.size(); ++s) {
    const SegmentRow& row = rows[s];
    if (row.state == SegmentState::fixed || row.state == SegmentState::bad || row.retired) continue;
    if (row.erase_count > most) {
      most = row.erase_count;
      move.to = row.state == SegmentState::free && !row.erasing ? s : kNone;
    }
    if (row.state == SegmentState::sealed && row.erase_count < least && !row.unreadable) {
      least = row.erase_count;
      move.from = s;
    }
  }
  if (most < limits.from_count || move.to == kNone || move.from == kNone || most - least < limits.gap)
    return std::nullopt;
  return move;
}

}  // namespace ftlab::fms
