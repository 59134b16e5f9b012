// What a status of the flash means to a translation layer, and what an append answers. Knows no layer and no medium.
#pragma once

#include <cstdint>

#include "firmware/map/page_table.h"
#include "firmware/port/flash_port.h"

namespace ftlab {

/// The segment, not the device or the power, is at fault.
[[nodiscard]] inline bool is_media_failure(FlashStatus status) {
  return status == FlashStatus::program_failed || status == FlashStatus::erase_failed ||
         status == FlashStatus::uncorrectable;
}

/// What an append answered. On ok `ppn` is where the first page lies; those of the others follow.
template <class Status>
struct Appended {
  Status status = Status::ok;
  std::uint32_t ppn = kUnmapped;

  [[nodiscard]] bool ok() const { return status == Status::ok; }
};

}  // namespace ftlab
