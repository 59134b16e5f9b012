// What a part's driver works with when it is compiled for the simulating machine. Knows no part and no processor.
#pragma once

#include <string_view>

#include "firmware/port/clock_port.h"
#include "firmware/port/mmio_port.h"
#include "firmware/port/probe_port.h"

namespace ftlab::platform {

class DriverPorts {
 public:
  /// The device's window of that name. Throws std::logic_error when it has none.
  [[nodiscard]] virtual MmioPort& port(std::string_view name) = 0;
  [[nodiscard]] virtual ProbePort& probe() = 0;
  [[nodiscard]] virtual ClockPort& clock() = 0;

 protected:
  ~DriverPorts() = default;
};

}  // namespace ftlab::platform
