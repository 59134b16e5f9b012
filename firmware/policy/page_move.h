// A valid page of a victim on its way. Knows no log.
#pragma once

#include <cstdint>

#include "firmware/map/streams.h"

namespace ftlab {

/// A valid page about to be moved.
struct PageMove {
  std::uint32_t lpn = 0;
  std::uint16_t slot = 0;
  StreamId stream = 0;
  std::uint32_t segment = 0;  ///< the victim
};

}  // namespace ftlab
