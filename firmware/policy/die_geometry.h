// A die of an array as policies see it: as an array of that die alone.
#pragma once

#include "firmware/port/flash_port.h"

namespace ftlab::fms {

[[nodiscard]] inline FlashGeometry die_geometry(const FlashGeometry& array) {
  FlashGeometry die = array;
  die.segments = array.segments_per_die();
  die.dies = 1;
  return die;
}

}  // namespace ftlab::fms
