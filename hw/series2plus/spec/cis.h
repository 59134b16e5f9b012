// Card information structure: the tuples by which a host recognises the card. Hard-wired, the same at either voltage.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/series2plus/spec/spec.h"

namespace ftlab::hw {

/// Size byte of the DEVICE tuple; nullopt when the capacity is no number of 1 to 32 units the tuple knows.
std::optional<std::uint8_t> device_size_byte(std::uint64_t capacity_bytes);

/// Tuple bytes in order; byte i stands at attribute address 2 * i.
std::vector<std::uint8_t> make_cis(const CardSpec& spec);

}  // namespace ftlab::hw
