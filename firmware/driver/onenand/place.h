// Where pages of a Flex-OneNAND are, how operations on them end, and what lies beside their data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "firmware/driver/common/part_port.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab {

/// A page of the part, or a segment where `page` does not matter.
struct OneNandPlace {
  std::uint16_t die = 0;
  std::uint16_t segment = 0;  ///< of the die
  std::uint16_t page = 0;
};

/// How an array operation ended, and how many bits of its worst sector were corrected (loads).
struct OneNandResult {
  PartStatus status = PartStatus::ok;
  std::uint8_t corrected_bits = 0;
};

/// Spare bytes of a page as the part lays them out: eight slots of 16.
using OneNandSpare = std::array<std::byte, hw::flexonenand::kSpareBytes>;

/// How the segments of the port lie on the dies.
struct OneNandLayout {
  std::uint32_t segments_per_die = 1;
  std::uint32_t slc_segments_per_die = 0;

  [[nodiscard]] OneNandPlace place_of(SegmentId segment, std::uint32_t offset) const;
  /// A page in the MLC area that another page's program may have spoiled.
  [[nodiscard]] bool is_lsb(const OneNandPlace& place) const;
};

}  // namespace ftlab
