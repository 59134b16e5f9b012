// A way to spoil a medium at rest, and who can know of it.
#pragma once

#include <cstdint>

#include "tests/powerloss/dice.h"

namespace ftlab::tests {

enum class KnownBy : std::uint8_t {
  metadata,       ///< must never be silent
  data_checksum,  ///< may be silent without one
  checkpoint,     ///< may be silent where a checkpoint does not tell of it yet
};

template <class Flash>
struct Damage {
  const char* name;
  void (*apply)(Flash& flash, std::uint32_t page_bytes, Dice& dice);
  KnownBy known_by = KnownBy::metadata;
};

}  // namespace ftlab::tests
