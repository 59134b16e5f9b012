// Finding out how common memory is divided into component pairs.
// Knows the identifier and status commands; leaves every pair it touched in array mode.
#pragma once

#include <cstdint>

#include "firmware/port/mmio_port.h"

namespace ftlab {

/// The pair at `base` answers with the identifier codes of two 28F016SA components.
bool has_series2plus_pair(MmioPort& common, std::uint32_t base);

/// Segments in the pair at address 0, of `segments` on the card: the boundary where its commands stop being heard.
std::uint32_t segments_of_first_pair(MmioPort& common, std::uint32_t segments, std::uint32_t segment_bytes);

}  // namespace ftlab
