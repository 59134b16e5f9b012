// Medium image of a Flex-OneNAND: what survives without supply. Knows cells alone; no command and no time.
#pragma once

#include <iosfwd>
#include <string>

#include "hw/onenand/array/cell_array.h"
#include "hw/onenand/spec/spec.h"

namespace ftlab::hw {

void save_onenand_image(std::ostream& out, const OneNandSpec& spec, const CellArray& cells);
/// Throws InputError when the image is of another geometry, cut short or damaged, and then changes nothing.
/// What is derived from cells (error rates, boundaries, locks) is the caller's to bring up to date.
void load_onenand_image(std::istream& in, const std::string& name, const OneNandSpec& spec, CellArray& cells);

}  // namespace ftlab::hw
