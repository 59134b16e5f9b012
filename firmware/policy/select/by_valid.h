// Greedy, windowed greedy and d-choices, said once: the policies of firmware/policy and the page-mapped layer keep
// their candidates in lists of their own, and choose by the same names, keys and rules.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/fields.h"

namespace ftlab::fms {

struct SelectionText {
  std::string_view name;
  std::string_view help;
};
inline constexpr SelectionText kGreedy{"greedy", "the segment with the fewest valid pages"};
inline constexpr SelectionText kWindowedGreedy{"windowed_greedy", "the fewest valid pages among the oldest segments"};
inline constexpr SelectionText kDChoices{"d_choices", "the fewest valid pages among some segments drawn at random"};

/// ftl.candidates: of d_choices; `former`: what the configuration called it.
inline constexpr std::uint32_t kCandidates = 10;
template <auto Member>
constexpr auto candidates_field(std::string_view former) {
  return integer_field<Member>("candidates", "segments", 1, 1000, "d_choices: segments drawn at random for each victim")
      .is_shared()
      .formerly(former);
}

/// ftl.window: of windowed_greedy, in 1 / 10^6.
inline constexpr std::uint64_t kWindowPpm = 10'000;
template <auto Member>
constexpr auto window_field() {
  return scaled_field<Member>("window", "", 1e6, 1e-6, 1,
                              "windowed_greedy: share of a die's segments, the oldest, that is looked at")
      .is_shared();
}
[[nodiscard]] constexpr std::uint32_t window_of(std::uint64_t ppm, std::uint32_t segments) {
  const auto window = static_cast<std::uint32_t>(ppm * segments / 1'000'000);
  return window > 0 ? window : 1;
}

/// d-choices: of so many that `draw` gives, with replacement, the first that no other goes before.
template <class Draw, class GoesBefore>
[[nodiscard]] std::uint32_t best_drawn(std::uint32_t candidates, Draw&& draw, GoesBefore&& goes_before) {
  std::uint32_t best = draw();
  for (std::uint32_t i = 1; i < candidates; ++i) {
    const std::uint32_t one = draw();
    if (goes_before(one, best)) best = one;
  }
  return best;
}

}  // namespace ftlab::fms
