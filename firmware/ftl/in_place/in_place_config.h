// What a user decides about the layer that updates in place, and which combinations are possible on a geometry.
#pragma once

#include <cstdint>

#include "firmware/port/flash_port.h"

namespace ftlab {

struct InPlaceConfig {
  std::uint32_t page_bytes = 4096;     ///< what is counted as a page; divides the segment, whole program units
  std::uint32_t logical_segments = 0;  ///< offered to the host; 1 .. max_logical_segments()
};

namespace in_place {

/// Segments that hold a full segment of data: all but those that are unused, and so many that may be bad.
[[nodiscard]] std::uint32_t max_logical_segments(const FlashGeometry& geometry, std::uint32_t bad = 0);

/// Pages of that size, 0: 4 KiB or what is programmed at once, and this share, in 1 / 10^9, of the segments.
[[nodiscard]] InPlaceConfig choose(std::uint32_t page_bytes, std::uint64_t utilization_ppb,
                                   const FlashGeometry& geometry, std::uint32_t bad);

/// Null when the combination works, else a sentence with the reason and the way out.
[[nodiscard]] const char* check(const InPlaceConfig& config, const FlashGeometry& geometry);

}  // namespace in_place
}  // namespace ftlab
