// How many logical pages a layer on the shared volume offers, as the study asks for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "firmware/volume/volume_config.h"
#include "platform/firmwares/firmware_instance.h"
#include "platform/study/study.h"

namespace ftlab::platform {

/// What a layer says about its volume.
struct VolumeWish {
  VolumeConfig volume;          ///< all but the logical pages
  FlashGeometry geometry;       ///< of the part, in the layer's segments
  std::uint32_t low_water = 0;  ///< segments that hold no data
  std::string lower;            ///< the keys that leave more room when lowered, with their values
};

/// Logical pages from the utilisation of the segments that must stay good. Throws InputError, with what works, when
/// pages of this size do not fit the part's segments, or cleaning would find no room.
[[nodiscard]] std::uint32_t logical_pages_of(const Study& study, const FirmwarePorts& ports, const VolumeWish& wish);

}  // namespace ftlab::platform
