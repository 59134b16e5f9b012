// Marks that power loss may have stopped on the way. Knows no table; reads the one word only.
#pragma once

#include <cstdint>

#include "firmware/base/flash_io.h"
#include "firmware/volume/nor/media_format.h"

namespace ftlab::nor {

/// Times that a mark in doubt is read again.
inline constexpr std::uint32_t kLooksAtMark = 8;

/// One bit of the mark `seen` is wrong: it flipped, or it is the only one that this read showed of a clearing that
/// power loss stopped, whose cells read anew each time. A flipped bit stays alone however often the mark is read; of
/// the other kind more bits show, and the mark counts as cleared. Any other mark is what it seems.
[[nodiscard]] inline std::uint16_t settled_mark(FlashIo& io, std::uint32_t segment, std::uint32_t offset,
                                                std::uint16_t seen) {
  if (seen == kBlank16) return seen;
  for (std::uint32_t look = 0; look < kLooksAtMark && !is_cleared(seen); ++look) {
    Le16 again = kBlank16;
    if (io.read_record(segment, offset, again) == FlashStatus::ok) seen &= again;
  }
  return seen;
}

/// Counts as cleared, but its cells may read otherwise later.
[[nodiscard]] constexpr bool is_half_cleared(std::uint16_t mark) { return is_cleared(mark) && mark != kCleared; }

/// Does not count as cleared, and would with one more wrong bit.
[[nodiscard]] constexpr bool is_one_bit_off(std::uint16_t mark) { return mark != kBlank16 && !is_cleared(mark); }

}  // namespace ftlab::nor
