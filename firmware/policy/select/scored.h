// The scan shared by selections that score: highest score wins, an empty victim at once unless ties let choose among
// several.
// It stays a scan: scores grow with age, so that the order of two segments changes while nothing happens to either.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "firmware/map/candidate_index.h"
#include "firmware/policy/families.h"
#include "firmware/policy/fixed_point.h"

namespace ftlab::fms {

/// log2((1 - u) / u) in 1/2^32 for each number of valid pages, computed once.
class GainTable {
 public:
  void layout(Arena& arena, std::uint32_t slots) {
    logs_ = arena.take<std::int64_t>(slots);
    for (std::uint32_t valid = 1; valid < logs_.size(); ++valid)
      logs_[valid] = log2_q32(slots - valid) - log2_q32(valid);
  }
  [[nodiscard]] std::int64_t of(const SegmentRow& row) const { return logs_[row.valid]; }

 private:
  std::span<std::int64_t> logs_;
};

/// What a look at all segments came to.
struct Looked {
  std::uint32_t best = kNone;
  std::uint32_t compared = 0;
  std::uint32_t scored = 0;

  [[nodiscard]] std::optional<std::uint32_t> choice() const {
    return best != kNone ? std::optional(best) : std::nullopt;
  }
};

/// score(row): comparable integer, higher is better; called for 0 < valid < slots only.
template <class Score>
Looked look_for_highest(const CleaningView& view, Ties ties, Score&& score) {
  const std::uint32_t slots = view.segments.slots();
  Looked looked;
  std::uint32_t& best = looked.best;
  std::int64_t best_score = std::numeric_limits<std::int64_t>::min();
  bool empty = false;  // the best one has no valid pages
  const SegmentView& segments = view.segments;
  for (std::uint32_t i = 0; i < segments.segments(); ++i) {
    const std::uint32_t s = looked_at(ties, i, segments.segments());
    const SegmentRow row = segments.row(s);
    if (!is_candidate(row, slots)) continue;
    ++looked.compared;
    if (row.valid == 0) {
      if (!empty || goes_before(ties, row, segments.row(best))) best = s;
      empty = true;
      if (first_wins(ties)) break;
    }
    if (empty) continue;
    ++looked.scored;
    const std::int64_t value = score(row);
    if (value > best_score || (value == best_score && goes_before(ties, row, segments.row(best)))) {
      best_score = value;
      best = s;
    }
  }
  return looked;
}

/// The same, for scores that take an age or a cost.
template <class Score>
std::optional<std::uint32_t> pick_highest(const CleaningView& view, Ties ties, Score&& score) {
  const Looked looked = look_for_highest(view, ties, score);
  view.probe.count(Work::segment_compare, looked.compared);
  view.probe.count(Work::segment_score, looked.scored);
  return looked.choice();
}

}  // namespace ftlab::fms
