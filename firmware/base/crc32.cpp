#include "firmware/base/crc32.h"

namespace ftlab {
namespace {

/// Bytes taken in one step, each with a table of 1 KiB; one where code is built for size.
#ifdef __OPTIMIZE_SIZE__
constexpr std::size_t kCrcSlices = 1;
#else
constexpr std::size_t kCrcSlices = 8;
#endif

/// Row s: the effect of a byte that s more bytes follow.
struct CrcTables {
  std::uint32_t rows[kCrcSlices][256];
};

constexpr CrcTables make_crc_tables() {
  CrcTables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? (c >> 1) ^ 0x82F63B78U : c >> 1;
    tables.rows[0][i] = c;
  }
  for (std::size_t s = 1; s < kCrcSlices; ++s)
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t before = tables.rows[s - 1][i];
      tables.rows[s][i] = tables.rows[0][before & 0xFFU] ^ (before >> 8);
    }
  return tables;
}
constexpr CrcTables kTables = make_crc_tables();
// Plain arrays: an index that a container checks costs more than the step, where nothing is inlined.
constexpr auto& kCrcTables = kTables.rows;

}  // namespace

std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t seed) {
  const auto* p = static_cast<const unsigned char*>(data);
  std::uint32_t c = ~seed;
  if constexpr (kCrcSlices == 8) {
    for (; bytes >= 8; bytes -= 8, p += 8) {
      c ^= static_cast<std::uint32_t>(p[0]) | static_cast<std::uint32_t>(p[1]) << 8 |
           static_cast<std::uint32_t>(p[2]) << 16 | static_cast<std::uint32_t>(p[3]) << 24;
      c = kCrcTables[7][c & 0xFFU] ^ kCrcTables[6][(c >> 8) & 0xFFU] ^ kCrcTables[5][(c >> 16) & 0xFFU] ^
          kCrcTables[4][c >> 24] ^ kCrcTables[3][p[4]] ^ kCrcTables[2][p[5]] ^ kCrcTables[1][p[6]] ^
          kCrcTables[0][p[7]];
    }
  }
  for (; bytes > 0; --bytes, ++p) c = kCrcTables[0][(c ^ *p) & 0xFFU] ^ (c >> 8);
  return ~c;
}

}  // namespace ftlab
