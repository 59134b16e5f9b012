// Which of the two components of a pair take part: the even one on D7-0, the odd one on D15-8, or both in step.
#pragma once

#include <cstdint>

namespace ftlab::hw {

enum class Lanes : std::uint8_t { even = 1, odd = 2, both = 3 };

constexpr std::uint32_t count_of(Lanes lanes) { return lanes == Lanes::both ? 2 : 1; }
constexpr bool includes(Lanes lanes, std::uint32_t lane) {
  return ((static_cast<std::uint32_t>(lanes) >> lane) & 1U) != 0;
}
/// Byte position of the first participating lane in an interleaved pair.
constexpr std::uint32_t first_lane(Lanes lanes) { return lanes == Lanes::odd ? 1 : 0; }

}  // namespace ftlab::hw
