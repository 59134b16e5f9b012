// Numbers as they stand on flash: little-endian, whatever the machine. Knows no structure that holds them.
// Invariant: a LittleEndian<T> is as large and as aligned as a T; on a little-endian machine it costs nothing.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace ftlab {

/// The bytes of a number in the other order.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T reversed_bytes(T value) {
  T reversed = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    reversed = static_cast<T>((static_cast<std::uint64_t>(reversed) << 8) | (value & 0xFFU));
    value = static_cast<T>(static_cast<std::uint64_t>(value) >> 8);
  }
  return reversed;
}

/// Between a number and its little-endian form; the same both ways.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T little_endian(T value) {
  if constexpr (std::endian::native == std::endian::little)
    return value;
  else
    return reversed_bytes(value);
}

/// A field of a structure on flash; reads and assigns like a T.
template <std::unsigned_integral T>
class LittleEndian {
 public:
  LittleEndian() = default;
  constexpr LittleEndian(T value) : stored_(little_endian(value)) {}
  constexpr operator T() const { return little_endian(stored_); }

 private:
  T stored_;
};

using Le16 = LittleEndian<std::uint16_t>;
using Le32 = LittleEndian<std::uint32_t>;
using Le64 = LittleEndian<std::uint64_t>;
static_assert(sizeof(Le16) == 2 && alignof(Le16) == alignof(std::uint16_t));
static_assert(sizeof(Le32) == 4 && alignof(Le32) == alignof(std::uint32_t));
static_assert(sizeof(Le64) == 8 && alignof(Le64) == alignof(std::uint64_t));

}  // namespace ftlab
