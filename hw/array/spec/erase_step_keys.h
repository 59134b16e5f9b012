// The table of erases in steps of a part file: optional, with every key of it or none.
#pragma once

#include "hw/array/spec/spec.h"

namespace ftlab::hw {

/// Into `spec`, whose times and endurance have been read. Throws InputError for a table that no part has, and where
/// another key says something else about erases.
void read_erase_steps(const spec::TomlFile& part, ArraySpec& spec);

}  // namespace ftlab::hw
