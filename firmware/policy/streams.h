// The lists on which the FMS keeps its segments: one active segment each.
#pragma once

#include "firmware/map/segment_table.h"

namespace ftlab::fms {

inline constexpr StreamId kHot = 0;
inline constexpr StreamId kCold = 1;
inline constexpr StreamId kReadOnly = 2;  ///< the last one: placements count theirs from the end
inline constexpr std::uint32_t kStreams = 3;

}  // namespace ftlab::fms
