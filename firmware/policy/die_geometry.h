// A die of an array as policies see a part: they know segments, slots and endurance, whatever the medium is.
#pragma once

#include "firmware/port/array_port.h"
#include "firmware/port/flash_port.h"

namespace ftlab::fms {

[[nodiscard]] inline FlashGeometry die_geometry(const ArrayGeometry& array) {
  FlashGeometry die;
  die.segments = array.segments_per_die();
  die.segment_bytes = array.pages_per_segment * array.page_bytes;
  die.program_unit_bytes = array.page_bytes;
  die.spare_bytes = sizeof(ArrayMetadata);
  die.rated_erase_cycles = array.rated_erase_cycles;
  return die;
}

}  // namespace ftlab::fms
