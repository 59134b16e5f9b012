// What Arbitration has done with one operation.
#pragma once

#include <cstdint>

#include "common/units.h"

namespace ftlab::hw::array {

struct MovedWork {
  std::uint32_t sequence = 0;  ///< of its descriptor
  std::uint32_t die = 0;
  Ticks begin_before{};
  Ticks end_before{};
  Ticks begin{};
  Ticks end{};
  Ticks waits = kNever;  ///< for its channel; kNever: it does not cross
};

}  // namespace ftlab::hw::array
