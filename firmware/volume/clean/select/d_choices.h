// The fewest valid pages among ftl.candidates segments of the group drawn at random, with replacement; of equals the
// one that was drawn first.
#pragma once

#include "firmware/base/random.h"
#include "firmware/policy/select/by_valid.h"
#include "firmware/volume/clean/selection.h"

namespace ftlab::volume {

class DChoices final : public Selection {
 public:
  explicit DChoices(const SelectionSetup& setup) : Selection(setup), random_(setup.config.seed) {}

  void sealed(std::uint32_t segment, std::uint32_t group) override { s_.segments.put(segment, group, 0); }
  std::uint32_t pick(std::uint32_t group) override {
    if (s_.segments.listed_in(group) == 0) return kNoSegment;
    return fms::best_drawn(
        s_.config.candidates, [&] { return draw(group); },
        [&](std::uint32_t one, std::uint32_t best) { return s_.segments.valid(one) < s_.segments.valid(best); });
  }

 private:
  /// Of all segments of the die those that are full and of the pool are most, so that few draws miss.
  std::uint32_t draw(std::uint32_t group) {
    const std::uint32_t first = group / s_.pools * s_.segments_per_die;
    for (;;) {
      const std::uint32_t segment = first + random_.below(s_.segments_per_die);
      if (s_.segments.listed(segment) && s_.segments.group_of(segment) == group) return segment;
    }
  }

  Random random_;
};

}  // namespace ftlab::volume
