// How a part is served as an array: which parts can be, with pages of which size, and what of its geometry the firmware
// sees.
#pragma once

#include <cstdint>

#include "firmware/driver/common/part_port.h"
#include "firmware/driver/paged/page_layout.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/refresh_limits.h"

namespace ftlab {

struct PagedFlashConfig {
  std::uint32_t page_bytes = 0;     ///< 0: the part's, which only NAND has; a half to an eighth of that does there, too
  std::uint32_t buffers = 32;       ///< pages on their way for the host at once
  RefreshLimits refresh{};          ///< NAND
  bool data_checksum = false;       ///< NOR: a checksum of each page, looked at when the page is read, by copies, too
  bool keeps_content = true;        ///< NOR: false: nothing can be read again, so that no metadata are, either
  std::uint32_t segment_units = 1;  ///< NOR: erase units of the part that make one segment; 1 .. 64
  /// NOR: leading segments of a part whose erases wait for each other that are somebody else's.
  std::uint32_t fixed_segments = 0;
  /// NOR: pages are their bytes alone and fill the segment. Any page of a segment may be programmed next, nothing
  /// beside pages is kept, and no segment takes a bad-block marker.
  bool bare = false;
  /// NAND: false: a segment takes programs only after an erase in this session, so that no notes are kept of where
  /// sessions went on, and the segments that carry them are the layer's.
  bool resumes = true;
  /// NAND: segments may be filled as SLC, their LSB pages alone.
  bool slc = false;
  /// NAND: all dies of the part are served as one, which does one thing after the other.
  bool one_die = false;
  /// NAND: segments are erased as soon as they may be; else right before their first program.
  bool erase_ahead = false;
  /// NAND with several pages in a program unit: units of a die that may be begun at the same time.
  std::uint32_t begun_units = 1;
};

namespace paged {

/// Null when the part can be served, else a sentence with the reason.
[[nodiscard]] const char* check(const PartPort& port, const PagedFlashConfig& config);
/// The part's segments, of as many erase units as the volume has in one.
[[nodiscard]] PartGeometry segments_of(const PartPort& port, const PagedFlashConfig& config);
[[nodiscard]] PageLayout layout_of(const PartPort& port, const PagedFlashConfig& config);
[[nodiscard]] FlashGeometry geometry_of(const PartPort& port, const PageLayout& layout, const PagedFlashConfig& config);

}  // namespace paged
}  // namespace ftlab
