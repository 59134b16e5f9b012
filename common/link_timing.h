// The times of what lies between a host and the firmware of a drive. Knows no protocol beyond sizes.
#pragma once

#include <cstdint>

#include "common/units.h"

namespace ftlab {

struct LinkTiming {
  Ticks latency{};               ///< of anything on its way, one way
  double byte_ns = 0;            ///< of a byte on the wires
  std::uint32_t payload = 1;     ///< bytes of data in a packet
  std::uint32_t overhead = 0;    ///< bytes around them
  std::uint32_t command = 0;     ///< bytes of a command
  std::uint32_t completion = 0;  ///< and of its completion
  Ticks command_time{};          ///< the front end takes the next one no earlier
  Ticks front_read{};            ///< from then on until the firmware has it
  Ticks front_write{};           ///< the same of anything but a read

  [[nodiscard]] Ticks transfer(std::uint64_t bytes) const {
    const std::uint64_t packets = (bytes + payload - 1) / payload;
    return ticks_from_ns(static_cast<double>(bytes + packets * overhead) * byte_ns);
  }
};

}  // namespace ftlab
