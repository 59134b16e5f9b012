// What losses of power in a run came to.
#pragma once

#include <cstdint>
#include <vector>

#include "common/units.h"

namespace ftlab::platform {

struct PowerLossRecord {
  Ticks at{};                   ///< since the start of the measured phase
  std::uint64_t requests = 0;   ///< answered before it
  std::uint32_t in_flight = 0;  ///< requests that were sent again
  Ticks mount{};                ///< until the mount ended, or power was lost again
  Picojoules energy{};          ///< of the operations meanwhile that have the cause mount
  bool mounted = false;         ///< it ended, and well
};

struct PowerRecord {
  std::uint64_t planned = 0;
  std::vector<PowerLossRecord> losses;
};

}  // namespace ftlab::platform
