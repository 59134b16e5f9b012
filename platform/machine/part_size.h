// What the driver of a device says of the part's size, whichever port it offers.
#pragma once

#include <cstdint>

#include "platform/machine/device.h"

namespace ftlab::platform {

struct PartSize {
  std::uint32_t segments = 0;
  std::uint32_t segment_bytes = 0;
  std::uint32_t parallel_units = 1;  ///< that can be busy at the same time
  std::uint32_t rated_erase_cycles = 0;
};

/// After attach().
[[nodiscard]] inline PartSize size_of(Device& device) {
  if (const PartPort* part = device.part()) {
    const PartGeometry& g = part->geometry();
    return {g.segments, g.segment_bytes, g.parallel_units, g.rated_erase_cycles};
  }
  const FlashGeometry& g = device.array()->geometry();
  return {g.segments, g.pages_per_segment * g.page_bytes, g.dies, g.rated_erase_cycles};
}

}  // namespace ftlab::platform
