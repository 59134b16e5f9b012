// The steps that a read went through, from the one its segment remembered to the last one: packed for what is kept of
// operations under way.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ftlab::hw::array {

struct Attempts {
  std::uint8_t first = 0;  ///< 0: the plain read
  std::uint8_t last = 0;

  [[nodiscard]] bool plain() const { return last == 0; }
  [[nodiscard]] std::uint32_t retries() const { return static_cast<std::uint32_t>(last - first); }
  /// Both in one, where pages are sensed together.
  void join(const Attempts& other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
  }
  [[nodiscard]] std::uint8_t packed() const { return static_cast<std::uint8_t>(first << 4 | last); }
  static Attempts unpacked(std::uint8_t packed) {
    return {static_cast<std::uint8_t>(packed >> 4), static_cast<std::uint8_t>(packed & 15)};
  }
};

}  // namespace ftlab::hw::array
