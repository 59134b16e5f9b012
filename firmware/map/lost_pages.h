// Logical pages that were there once and cannot be found any more: reads of them fail until they are written or
// trimmed. A page that is lost is not mapped. Knows no flash.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/map/page_table.h"

namespace ftlab {

class LostPages {
 public:
  /// 0 pages: for a volume that reports no losses.
  void layout(Arena& arena, std::uint32_t pages) { bits_ = arena.take<std::uint32_t>((pages + 31) / 32); }
  void clear() { std::fill(bits_.begin(), bits_.end(), 0U); }
  [[nodiscard]] bool has(std::uint32_t lpn) const {
    return lpn / 32 < bits_.size() && ((bits_[lpn / 32] >> (lpn % 32)) & 1U) != 0;
  }
  void add(std::uint32_t lpn) { bits_[lpn / 32] |= 1U << (lpn % 32); }
  /// Written or trimmed. False: it was not lost.
  bool drop(std::uint32_t lpn) {
    if (!has(lpn)) return false;
    bits_[lpn / 32] &= ~(1U << (lpn % 32));
    return true;
  }

 private:
  std::span<std::uint32_t> bits_;
};

/// Whether pages are mapped or lost, a bit for each of `count` from `first` on; at most 32.
[[nodiscard]] inline std::uint32_t mapped_or_lost(const PageTable& pages, const LostPages& lost, std::uint32_t first,
                                                  std::uint32_t count) {
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < count; ++i)
    bits |= std::uint32_t{pages.ppn(first + i) != kUnmapped || lost.has(first + i)} << i;
  return bits;
}

}  // namespace ftlab
