// What a user decides about the page-mapped layer, and which combinations are possible on a geometry.
#pragma once

#include <cstdint>

#include "common/fields.h"
#include "firmware/port/flash_port.h"
#include "firmware/volume/volume_config.h"

namespace ftlab {

struct PageMapConfig {
  std::uint32_t page_bytes = 4096;  ///< mapping unit; divides the segment (NOR) or the part's page (NAND)
  std::uint32_t logical_pages = 0;  ///< pages offered to the host; 1 .. max_logical_pages()
  std::uint32_t low_water = 3;      ///< cleaning keeps more free segments than this
  bool data_checksum = false;       ///< NOR: a checksum of each page, looked at when the page is read
};

namespace pagemap {

/// One open segment for copies, and one for the host's pages on each of the first kMaxHostStreams units that can be
/// busy by themselves.
inline constexpr StreamId kCopies = 0;
inline constexpr StreamId kFirstHost = 1;
inline constexpr std::uint32_t kMaxHostStreams = 2;
[[nodiscard]] std::uint32_t host_streams(const FlashGeometry& geometry);

[[nodiscard]] VolumeConfig volume_config(const PageMapConfig& config, const FlashGeometry& geometry);

/// The most logical pages for which cleaning always finds something to reclaim.
[[nodiscard]] std::uint32_t max_logical_pages(const PageMapConfig& config, const FlashGeometry& geometry,
                                              std::uint32_t bad = 0);

/// Null when the combination works, else a sentence with the reason and the way out.
[[nodiscard]] const char* check(const PageMapConfig& config, const FlashGeometry& geometry,
                                const FlashCapabilities& capabilities);

/// The keys of a study that set it, but `data_checksum`, which it shares with other layers.
inline constexpr Field<PageMapConfig> kPageMapFields[] = {
    integer_field<&PageMapConfig::low_water>("low_water", "segments", 1, 1e6,
                                             "cleaning starts when no more than this many segments are free")
        .is_shared()
        .formerly("pagemap.low_water"),
};

}  // namespace pagemap
}  // namespace ftlab
