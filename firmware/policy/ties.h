// Which of several victims of the same score is cleaned: the papers do not say. Knows no score.
#pragma once

#include <cstdint>

#include "firmware/map/segment_view.h"

namespace ftlab::fms {

enum class Ties : std::uint8_t {
  lowest_index,
  highest_index,
  least_erased,  ///< of those the lowest index
};

/// The i-th segment that a look at all of them comes to: of equals the first one is taken, unless a later one
/// goes_before() it.
[[nodiscard]] inline std::uint32_t looked_at(Ties ties, std::uint32_t i, std::size_t segments) {
  return ties == Ties::highest_index ? static_cast<std::uint32_t>(segments) - 1 - i : i;
}

[[nodiscard]] inline bool goes_before(Ties ties, const SegmentRow& later, const SegmentRow& earlier) {
  return ties == Ties::least_erased && later.erase_count < earlier.erase_count;
}

/// Whether `a` is cleaned before `b`, which has the same score.
[[nodiscard]] inline bool is_before(Ties ties, const SegmentView& segments, std::uint32_t a, std::uint32_t b) {
  if (goes_before(ties, segments.row(a), segments.row(b))) return true;
  if (goes_before(ties, segments.row(b), segments.row(a))) return false;
  return ties == Ties::highest_index ? a > b : a < b;
}

/// Whether a look is over at the first segment that nothing can beat: no later one goes before it.
[[nodiscard]] inline bool first_wins(Ties ties) { return ties != Ties::least_erased; }

}  // namespace ftlab::fms
