// Medium image of a NAND array: what survives without supply. Knows no command and no time.
#pragma once

#include <iosfwd>
#include <string>

#include "hw/array/context.h"

namespace ftlab::hw::array {

void save_image(std::ostream& out, const Context& device);
/// Throws InputError when the image is of another geometry or content, cut short or damaged, and then changes nothing.
void load_image(std::istream& in, const std::string& name, Context& device);

}  // namespace ftlab::hw::array
