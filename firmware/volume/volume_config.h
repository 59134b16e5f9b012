// What a translation layer decides about its volume, and what fits on a geometry. Knows the sizes of both on-flash
// formats; no policy of a layer, and touches no flash.
#pragma once

#include <array>
#include <cstdint>

#include "firmware/map/segment_table.h"
#include "firmware/port/flash_port.h"

namespace ftlab {

/// Streams of one volume: each has an open segment of its own.
inline constexpr std::uint32_t kMaxStreams = 32;

/// The same number for every stream.
[[nodiscard]] constexpr std::array<std::uint32_t, kMaxStreams> each_stream(std::uint32_t number) {
  std::array<std::uint32_t, kMaxStreams> streams{};
  streams.fill(number);
  return streams;
}

struct VolumeConfig {
  std::uint32_t page_bytes = 4096;     ///< mapping unit
  std::uint32_t logical_pages = 0;     ///< pages offered to the host
  std::uint32_t reserve_segments = 0;  ///< segments whose worth of pages no logical page takes, so that cleaning gains
  bool opens_at_format[kMaxStreams] = {true};  ///< streams that own an open segment from the format on
  bool writes_to[kMaxStreams] = {true};        ///< streams that this configuration fills
  bool data_checksum = false;                  ///< NOR: a checksum of each page
  bool background_erase = false;               ///< an erase may run while other units work
  std::uint32_t owner = 0;                     ///< NAND: whose volume, four letters
  std::uint32_t layout = 0;                    ///< NAND: whatever else must be equal to mount it
  std::uint32_t stamp_shift = 0;               ///< NAND: stamps on flash are in units of 2^stamp_shift, see PageStore
};

/// A part with spare bytes: metadata lies beside the pages. Without: in a header of the segment (NOR).
[[nodiscard]] inline bool is_nand(const FlashGeometry& geometry) { return geometry.spare_bytes > 0; }

/// Data pages a segment offers beside its header (NOR) or its summary (NAND); 0 when none fit. `data_checksum` makes
/// the entries of the header longer.
[[nodiscard]] std::uint32_t usable_slots(const FlashGeometry& geometry, std::uint32_t page_bytes,
                                         bool data_checksum = false);

/// Segments that carry data: all but the fixed one (NOR), or but those of the checkpoints and those that hold LSB
/// pages only (NAND).
[[nodiscard]] std::uint32_t data_segments(const FlashGeometry& geometry);

/// The most logical pages for which cleaning always finds something to reclaim beside the reserve, with so many
/// segments bad.
[[nodiscard]] std::uint32_t max_logical_pages(const VolumeConfig& config, const FlashGeometry& geometry,
                                              std::uint32_t bad = 0);

/// Null when the part can carry such a volume, else a sentence with the reason and the way out.
[[nodiscard]] const char* check_part(const VolumeConfig& config, const FlashGeometry& geometry,
                                     const FlashCapabilities& capabilities);

}  // namespace ftlab
