// A way to spoil a medium at rest, and who can know of it.
#pragma once

#include <cstdint>

#include "tests/fixtures/dice.h"

namespace ftlab::tests {

enum class KnownBy : std::uint8_t {
  metadata,       ///< must never be silent
  data_checksum,  ///< may be silent without one
  nobody,         ///< looks like something that an interrupted erase leaves
  checkpoint,     ///< may be silent where a checkpoint does not record it yet
};

/// What the places on a medium depend on.
struct VolumeShape {
  std::uint32_t page_bytes = 0;
  bool data_checksum = false;
  std::uint32_t logical_pages = 0;
  std::uint32_t segment_units = 1;  ///< erase units of a NOR part in a segment
};

template <class Flash>
struct Damage {
  const char* name;
  void (*apply)(Flash& flash, const VolumeShape& shape, Dice& dice);
  KnownBy known_by = KnownBy::metadata;
};

}  // namespace ftlab::tests
