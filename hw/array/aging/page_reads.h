// What reads have met, for each type of page. Counted when they are queued.
#pragma once

#include <array>
#include <cstdint>

#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

/// Of programmed pages that can be read at all, by reads that somebody asked for: copies are not among them.
struct PageReads {
  std::uint64_t reads = 0;
  std::uint64_t retries = 0;
  std::uint64_t unreadable = 0;  ///< no step was enough
  double wrong_bits = 0;         ///< expected of the plain read of each
  // Of the unreadable ones, as the last step had them.
  std::uint64_t lost_codewords = 0;  ///< that hold more errors than can be corrected
  std::uint64_t lost_bits = 0;       ///< wrong ones of those codewords
};
using PageReadsByType = std::array<PageReads, kMaxPageTypes>;

}  // namespace ftlab::hw::array
