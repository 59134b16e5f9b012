// A die of an array as policies see it: as an array of that die alone.
#pragma once

#include "firmware/port/array_port.h"

namespace ftlab::fms {

[[nodiscard]] inline ArrayGeometry die_geometry(const ArrayGeometry& array) {
  ArrayGeometry die = array;
  die.segments = array.segments_per_die();
  die.dies = 1;
  return die;
}

}  // namespace ftlab::fms
