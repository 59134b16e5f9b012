// When data of a NAND part should move although it can still be read. Defaults: the part's own driver (strong
// read-disturb refresh at three of four correctable bits, 30,000 reads since the erase).
#pragma once

#include <algorithm>
#include <cstdint>

namespace ftlab {

struct RefreshLimits {
  std::uint8_t bits = 3;         ///< corrected bits in one ECC sector; with one more the part may not manage it again
  std::uint32_t reads = 30'000;  ///< page reads of a segment since its erase
};

/// A power loss may take so many reads of a segment: with one more they are recorded, and a mount counts as many to
/// those recorded last.
[[nodiscard]] constexpr std::uint32_t unrecorded_reads(std::uint32_t limit) {
  return std::max<std::uint32_t>(limit / 64, 1);
}
/// After a mount, until the first record: sessions that end before it add up.
[[nodiscard]] constexpr std::uint32_t unrecorded_reads_after_mount(std::uint32_t limit) {
  return std::max<std::uint32_t>(unrecorded_reads(limit) / 8, 1);
}

}  // namespace ftlab
