// Shares of the time between two samples in which dies, channels and the link were taken. Knows sums up to a time, and
// nothing of who took them.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/host/link.h"
#include "platform/machine/device.h"

namespace ftlab::platform {

/// Up to some time, since time zero.
struct TakenTimes {
  UnitTimes units;
  std::optional<LinkTimes> link;
};

class Utilization {
 public:
  using Columns = std::vector<std::pair<std::string_view, double>>;

  void begin(Ticks now, TakenTimes taken) {
    at_ = now;
    taken_ = std::move(taken);
  }
  /// Since the last call, mean of the dies, of the channels, and of each direction of the link; 0 where no time has
  /// passed. The same columns each time, none of what a part does not tell.
  Columns since_last(Ticks now, TakenTimes taken);

 private:
  Ticks at_{};
  TakenTimes taken_;
};

}  // namespace ftlab::platform
