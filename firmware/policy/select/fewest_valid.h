// The candidate with the fewest valid pages, found by a look at every segment. One without valid pages ends the look,
// unless it may be one of several that ties let choose from.
#pragma once

#include <cstdint>
#include <optional>

#include "firmware/map/candidate_index.h"
#include "firmware/policy/families.h"

namespace ftlab::fms {

inline std::optional<std::uint32_t> fewest_valid(const CleaningView& view, Ties ties) {
  const std::uint32_t slots = view.segments.slots();
  std::uint32_t best = kNone;
  std::uint32_t fewest = slots;
  std::uint32_t compared = 0;
  const SegmentView& segments = view.segments;
  for (std::uint32_t i = 0; i < segments.segments() && (fewest > 0 || !first_wins(ties)); ++i) {
    const std::uint32_t s = looked_at(ties, i, segments.segments());
    const SegmentRow row = segments.row(s);
    if (!is_candidate(row, slots)) continue;
    ++compared;
    if (row.valid < fewest || (row.valid == fewest && goes_before(ties, row, segments.row(best)))) {
      fewest = row.valid;
      best = s;
    }
  }
  view.probe.count(Work::segment_compare, compared);
  if (best == kNone) return std::nullopt;
  return best;
}

}  // namespace ftlab::fms
