// How many logical pages a layer on the shared volume offers, as the study asks for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "platform/machine/firmware_instance.h"
#include "platform/study/study.h"

namespace ftlab::platform {

/// What a layer says about its volume.
struct VolumeWish {
  std::string_view low_water_key;
  std::uint32_t low_water = 0;  ///< segments that hold no data
  std::uint32_t most = 0;       ///< logical pages with which cleaning still finds room
  std::string lower;            ///< the keys that leave more room when lowered, with their values
  bool data_checksum = false;
  bool shares_units = false;  ///< NAND: several pages may lie in one page of the part
  bool page_table = false;    ///< NAND: checkpoints may keep the page table
};

/// Logical pages from the utilisation of the segments that must stay good. Throws InputError, with what works, when
/// pages of this size do not fit the part's segments, or cleaning would find no room.
[[nodiscard]] std::uint32_t logical_pages_of(const Study& study, const FirmwarePorts& ports, const VolumeWish& wish);

}  // namespace ftlab::platform
