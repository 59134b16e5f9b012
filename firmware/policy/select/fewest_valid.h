// The candidate with the fewest valid pages, found by a look at every segment; lowest index wins ties, the first one
// without valid pages ends the look.
#pragma once

#include <cstdint>
#include <optional>

#include "firmware/map/candidate_index.h"
#include "firmware/policy/families.h"

namespace ftlab::fms {

inline std::optional<std::uint32_t> fewest_valid(const CleaningView& view) {
  const std::uint32_t slots = view.segments.slots();
  std::uint32_t best = kNone;
  std::uint32_t fewest = slots;
  std::uint32_t compared = 0;
  const auto rows = view.segments.rows();
  for (std::uint32_t s = 0; s < rows.size() && fewest > 0; ++s) {
    if (!is_candidate(rows[s], slots)) continue;
    ++compared;
    if (rows[s].valid < fewest) {
      fewest = rows[s].valid;
      best = s;
    }
  }
  view.probe.count(Work::segment_compare, compared);
  if (best == kNone) return std::nullopt;
  return best;
}

}  // namespace ftlab::fms
