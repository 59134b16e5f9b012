// NAND parts of all small shapes, some with segments that were bad from the factory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/fixtures/dice.h"
#include "tests/fixtures/emulated_nand.h"

namespace ftlab::tests {

/// Half of all volumes are as full as they may be.
inline std::uint32_t draw_logical_pages(Dice& dice, std::uint32_t most, bool fullest) {
  if (fullest || most < 2 || dice.chance(500)) return most;
  return dice.between(std::max(1U, most / 2), most);
}

struct DrawnNand {
  EmulatedNandOptions part;
  std::uint32_t bad_segments = 0;
};

inline DrawnNand draw_nand(Dice& dice) {
  DrawnNand drawn;
  EmulatedNandOptions& part = drawn.part;
  part.pages = 8 + 4 * dice.below(3);
  part.page_bytes = 512;
  part.parallel_units = dice.chance(250) ? 2 : 1;
  part.no_wait = part.parallel_units == 2;
  part.segments = dice.between(8, 20) * part.parallel_units;
  part.slc_segments_per_unit = dice.below(3);
  part.marks_on_failed = dice.chance(300);
  drawn.bad_segments = dice.chance(250) ? dice.between(1, 2) : 0;
  return drawn;
}

inline void mark_bad_segments(EmulatedNand& flash, const DrawnNand& drawn, Dice& dice) {
  for (std::uint32_t i = 0; i < drawn.bad_segments; ++i)
    flash.mark_initial_bad(dice.between(std::max(1U, drawn.part.slc_segments_per_unit), drawn.part.segments - 1));
}

inline std::string describe(const DrawnNand& drawn) {
  using std::to_string;
  const EmulatedNandOptions& p = drawn.part;
  return "NAND " + to_string(p.segments) + " x " + to_string(p.pages) + " units " + to_string(p.parallel_units) +
         " spare " + to_string(p.spare_bytes) + " slc " + to_string(p.slc_segments_per_unit) + " bad " +
         to_string(drawn.bad_segments);
}

}  // namespace ftlab::tests
