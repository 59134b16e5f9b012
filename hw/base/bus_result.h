// What a device core answers to a bus access beside the data. Shared by all devices; knows none.
#pragma once

#include <cstdint>

#include "common/units.h"

namespace ftlab::hw {

/// Why a device cannot answer a bus access at all (never the state of a component: that answers by status).
enum class BusError : std::uint8_t { none, misaligned, out_of_range };

struct BusResult {
  Ticks time{};  ///< the device's own cycles
  BusError error = BusError::none;
};

}  // namespace ftlab::hw
