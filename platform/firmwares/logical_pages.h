// How much data a utilisation is. Floating point, so the host's business: the firmware gets a count of pages.
#pragma once

#include <cstdint>

namespace ftlab::platform {

/// round(utilization * (data segments - low_water) * slots): the initial data of the FMS papers at a utilisation of
/// 0..1. 5245 pages of 4 KiB for 0.9 of a 24 MB card with three segments in reserve.
[[nodiscard]] constexpr std::uint32_t logical_pages_for(double utilization, std::uint32_t data_segments,
                                                        std::uint32_t low_water, std::uint32_t slots) {
  return static_cast<std::uint32_t>(utilization * (data_segments - low_water) * slots + 0.5);
}

}  // namespace ftlab::platform
