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
  const auto rows = view.segments.rows();
  for (std::uint32_t i = 0; i < rows.size() && (fewest > 0 || !first_wins(ties)); ++i) {
    const std::uint32_t s = looked_at(ties, i, rows.size());
    if (!is_candidate(rows[s], slots)) continue;
    ++compared;
    if (rows[s].valid < fewest || (rows[s].valid == fewest && goes_before(ties, rows[s], rows[best]))) {
      fewest = rows[s].valid;
      best = s;
    }
  }
  view.probe.count(Work::segment_compare, compared);
  if (best == kNone) return std::nullopt;
  return best;
}

}  // namespace ftlab::fms
