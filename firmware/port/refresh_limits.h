// When data of a NAND part should move although it can still be read. Defaults: the part's own driver (strong
// read-disturb refresh at three of four correctable bits, 30,000 reads since the erase).
#pragma once

#include <cstdint>

namespace ftlab {

struct RefreshLimits {
  std::uint8_t bits = 3;         ///< corrected bits in one ECC sector; with one more the part may not manage it again
  std::uint32_t reads = 30'000;  ///< page reads of a segment since its erase, as far as the layer knows of them
};

}  // namespace ftlab
