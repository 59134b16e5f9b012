// The scan shared by selections that score: highest score wins, lowest index on ties, an empty victim at once.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "firmware/policy/families.h"

namespace ftlab::fms {

/// score(row): comparable integer, higher is better; called for 0 < valid < slots only.
template <class Score>
std::optional<std::uint32_t> pick_highest(const CleaningView& view, Score&& score) {
  const std::uint32_t slots = view.segments.slots();
  std::uint32_t best = kNone;
  std::int64_t best_score = std::numeric_limits<std::int64_t>::min();
  std::uint32_t compared = 0;
  std::uint32_t scored = 0;
  const auto rows = view.segments.rows();
  for (std::uint32_t s = 0; s < rows.size(); ++s) {
    const SegmentRow& row = rows[s];
    if (!is_candidate(row, slots)) continue;
    ++compared;
    if (row.valid == 0) {
      best = s;
      break;
    }
    ++scored;
    const std::int64_t value = score(row);
    if (value > best_score) {
      best_score = value;
      best = s;
    }
  }
  view.probe.count(Work::segment_compare, compared);
  view.probe.count(Work::segment_score, scored);
  if (best == kNone) return std::nullopt;
  return best;
}

}  // namespace ftlab::fms
