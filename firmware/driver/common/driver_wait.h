// How a driver learns that its device is done: a choice every part driver offers.
#pragma once

#include <cstdint>

namespace ftlab {

enum class DriverWait : std::uint8_t {
  poll,       ///< read the status again and again; how often and whether the CPU sleeps meanwhile, the driver says
  interrupt,  ///< sleep until the device's ready or interrupt line rises
};

}  // namespace ftlab
