// What the driver of a device says of the part's size, whichever port it offers.
#pragma once

#include "platform/machine/device.h"

namespace ftlab::platform {

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
