// The steps of read retry of a part file: optional, with every key of them or none.
#pragma once

#include "hw/array/spec/spec.h"

namespace ftlab::hw {

/// Into `spec`, whose times and errors have been read. Throws InputError for steps that no controller has.
void read_read_retry(const spec::TomlFile& part, ArraySpec& spec);

}  // namespace ftlab::hw
