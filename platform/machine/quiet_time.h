// Adds up how long a device could rest: gaps between operations that last longer than a threshold, each less the
// threshold, because the machine learns only then that the gap is a long one. Knows no cause and no energy.
//
// A part with several dies reports them one after the other, so ends come out of order: stretches of activity are kept
// until no operation under way can reach back before them.
#pragma once

#include <deque>
#include <vector>

#include "common/units.h"

namespace ftlab::platform {

class QuietTime {
 public:
  /// Counts nothing until it is replaced by one with a threshold.
  QuietTime() = default;
  QuietTime(Ticks from, Ticks threshold) : counts_(true), threshold_(threshold), stretches_{{from, from}} {}

  /// Die or component `device` begins an operation; those of one device come in order.
  void begin(std::uint32_t device, Ticks start) {
    if (!counts_) return;
    if (stretches_.size() > 1) collect(start);
    under_way_.push_back({device, start});
  }
  void end(std::uint32_t device, Ticks start, Ticks end);
  /// Low-power time since the last call; the gap up to `now` ends here.
  Ticks advance_to(Ticks now);

 private:
  /// Activity with gaps no longer than the threshold inside.
  struct Stretch {
    Ticks from;
    Ticks to;
  };
  struct Operation {
    std::uint32_t device;
    Ticks start;
  };

  void add(Stretch stretch);
  /// Counts and forgets the gaps that end before `start` and before all operations under way.
  void collect(Ticks start);

  bool counts_ = false;
  Ticks threshold_{};
  Ticks low_power_{};
  std::deque<Stretch> stretches_;  ///< ascending
  std::vector<Operation> under_way_;
};

}  // namespace ftlab::platform
