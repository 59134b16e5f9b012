// What a drive draws beside its array: RAM, controller and link. Of a part that does not say, nothing.
#pragma once

#include <cstdint>

namespace ftlab::platform {

struct DrivePower {
  // Microwatts.
  std::int64_t ram = 0;              ///< all the time
  std::int64_t controller_idle = 0;  ///< the same
  std::int64_t controller_busy = 0;  ///< beyond that, while its processor works
  std::int64_t link_idle = 0;        ///< all the time
  double link_byte_pj = 0;           ///< of a byte on the wires, either way
};

}  // namespace ftlab::platform
