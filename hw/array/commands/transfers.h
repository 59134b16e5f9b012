// Transfers of a channel that have not ended, each with its own begin and end.
// Knows nothing of who takes which gap.
#pragma once

#include <algorithm>
#include <cstddef>

#include "common/units.h"
#include "hw/array/commands/ring.h"

namespace ftlab::hw::array {

class Transfers {
 public:
  /// `now`: nobody will ask about what has ended by then.
  void add(Ticks now, Ticks begin, Ticks end) {
    if (transfers_.full()) retire(now);
    transfers_.append() = {begin, end};
  }
  /// For which they take the channel behind `until`.
  [[nodiscard]] Ticks behind(Ticks until) const {
    Ticks time{};
    for (std::size_t i = 0; i < transfers_.size(); ++i)
      time += std::max(transfers_[i].end - std::max(transfers_[i].begin, until), Ticks::zero());
    return time;
  }
  void clear() { transfers_.clear(); }

 private:
  struct Transfer {
    Ticks begin{};
    Ticks end{};
  };

  void retire(Ticks now) {
    while (!transfers_.empty() && transfers_.front().end <= now) transfers_.drop_front();
  }

  Ring<Transfer> transfers_;
};

}  // namespace ftlab::hw::array
