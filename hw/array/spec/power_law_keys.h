// The optional keys of bit errors: which model, its coefficients, and how temperature speeds up the loss of charge.
#pragma once

#include "hw/array/spec/spec.h"

namespace ftlab::hw {

/// Into `errors`, which have been read. Throws InputError where both models are given rates.
void read_power_law(const spec::TomlFile& part, ArrayErrors& errors);

}  // namespace ftlab::hw
