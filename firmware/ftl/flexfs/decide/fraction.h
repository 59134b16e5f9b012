// Numbers from 0 to 1 as Q16 fractions (65536 = 1), so that every target decides alike. Knows nothing of what they
// mean.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ftlab::flexfs {

using Q16 = std::uint32_t;
inline constexpr Q16 kOne = 65536;

/// min(1, part / whole); 1 for whole = 0. part below 2^48.
[[nodiscard]] constexpr Q16 fraction(std::uint64_t part, std::uint64_t whole) {
  if (part >= whole) return kOne;
  return static_cast<Q16>((part << 16) / whole);
}

/// value * f, rounded down; value below 2^47.
[[nodiscard]] constexpr std::uint64_t scaled(std::uint64_t value, Q16 f) { return (value * f) >> 16; }

}  // namespace ftlab::flexfs
