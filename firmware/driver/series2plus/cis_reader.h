// Card information structure: which part sits in the socket, and how large it is.
// Knows tuples in attribute memory (one byte per even address); no commands, no registers.
#pragma once

#include <cstdint>

#include "firmware/port/mmio_port.h"

namespace ftlab {

/// What the tuples say. Zero where a tuple was absent.
struct CardInformation {
  std::uint64_t capacity_bytes = 0;    ///< DEVICE: sum of its flash regions
  std::uint32_t segment_bytes = 0;     ///< DEVICE_GEO: erase size over the whole bus width
  std::uint8_t manufacturer_code = 0;  ///< JEDEC_C
  std::uint8_t device_code = 0;        ///< JEDEC_C
};

/// Walks the chain until its end, a tuple that runs beyond it, or 4 KiB.
CardInformation read_card_information(MmioPort& attribute);

}  // namespace ftlab
