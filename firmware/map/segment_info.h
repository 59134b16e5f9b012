// The states of a segment, and what a layer reports of one. Knows no table and no medium.
#pragma once

#include <cstdint>

namespace ftlab {

enum class SegmentState : std::uint8_t { fixed, free, open, sealed, bad };

/// One row of the segment lookup table, for inspection.
struct SegmentInfo {
  SegmentState state = SegmentState::free;
  std::uint32_t erase_count = 0;
  std::uint32_t valid_pages = 0;
  std::uint32_t used_pages = 0;
  std::uint32_t stream = 0;  ///< list the segment is on, defined by the layer
};

}  // namespace ftlab
