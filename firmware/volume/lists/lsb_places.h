// The places of a segment that is filled as SLC: those of its LSB pages, each program unit whole. Knows geometry alone.
#pragma once

#include <cstdint>

#include "firmware/port/flash_port.h"

namespace ftlab::volume {

/// Places are pages counted from the start of the segment; `end()` is behind the last one.
class LsbPlaces {
 public:
  explicit LsbPlaces(const FlashGeometry& geometry) : geometry_(geometry) {
    for (std::uint32_t unit = 0; unit < units(); ++unit) {
      if (!geometry_.is_lsb(unit)) continue;
      pages_ += geometry_.pages_at_once;
      last_ = (unit + 1) * geometry_.pages_at_once - 1;
    }
  }

  /// How many there are; 0: the part has none.
  [[nodiscard]] std::uint32_t pages() const { return pages_; }
  [[nodiscard]] std::uint32_t last() const { return last_; }
  [[nodiscard]] std::uint32_t end() const { return geometry_.pages_per_segment; }
  [[nodiscard]] bool has(std::uint32_t place) const { return geometry_.is_lsb(place / geometry_.pages_at_once); }
  /// The first one at `place` or behind it.
  [[nodiscard]] std::uint32_t from(std::uint32_t place) const {
    while (place < end() && !has(place)) place = next_unit(place);
    return place;
  }
  /// In the same place of the LSB unit before; there is one.
  [[nodiscard]] std::uint32_t unit_before(std::uint32_t place) const {
    do place -= geometry_.pages_at_once;
    while (!has(place));
    return place;
  }
  /// Those at `place` and behind it.
  [[nodiscard]] std::uint32_t left(std::uint32_t place) const {
    std::uint32_t left = 0;
    for (place = from(place); place < end(); place = from(place + 1)) ++left;
    return left;
  }

 private:
  [[nodiscard]] std::uint32_t units() const { return geometry_.pages_per_segment / geometry_.pages_at_once; }
  [[nodiscard]] std::uint32_t next_unit(std::uint32_t place) const {
    return (place / geometry_.pages_at_once + 1) * geometry_.pages_at_once;
  }

  const FlashGeometry& geometry_;
  std::uint32_t pages_ = 0;
  std::uint32_t last_ = 0;
};

}  // namespace ftlab::volume
