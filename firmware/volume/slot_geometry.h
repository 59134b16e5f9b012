// A part as a volume uses it: how many slots, each for a page of the volume, lie in one program unit, and what its
// checkpoints may keep. Knows no format.
#pragma once

#include <cstdint>

#include "firmware/port/flash_port.h"

namespace ftlab {

struct SlotGeometry : FlashGeometry {
  static constexpr std::uint32_t kMaxSlotsPerUnit = 8;

  /// Where a program unit is a page, or where pages are not counted.
  SlotGeometry(const FlashGeometry& part) : FlashGeometry(part) {}  // NOLINT(google-explicit-constructor)
  /// NAND: pages of the volume of so many bytes; slots_per_unit is 0 where they do not divide the program unit.
  SlotGeometry(const FlashGeometry& part, std::uint32_t page_bytes, bool may_keep_page_table = false)
      : FlashGeometry(part),
        slots_per_unit(divides(part, page_bytes) ? part.program_unit_bytes / page_bytes : 0),
        page_table(may_keep_page_table) {}

  std::uint32_t slots_per_unit = 1;
  bool page_table = false;  ///< NAND: checkpoints may keep the page table instead of what a scan needs

 private:
  static bool divides(const FlashGeometry& part, std::uint32_t page_bytes) {
    return page_bytes != 0 && part.program_unit_bytes % page_bytes == 0;
  }
};

}  // namespace ftlab
