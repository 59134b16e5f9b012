// CRC-32C of small on-flash records. Knows nothing of what they hold.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ftlab {

namespace detail {
constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? (c >> 1) ^ 0x82F63B78U : c >> 1;
    table[i] = c;
  }
  return table;
}
inline constexpr auto kCrcTable = make_crc_table();
}  // namespace detail

/// `seed`: 0, or the result for the bytes before, to go on.
inline std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t seed = 0) {
  const auto* p = static_cast<const unsigned char*>(data);
  std::uint32_t c = ~seed;
  for (std::size_t i = 0; i < bytes; ++i) c = detail::kCrcTable[(c ^ p[i]) & 0xFFU] ^ (c >> 8);
  return ~c;
}

}  // namespace ftlab
