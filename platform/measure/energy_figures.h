// Figures of energy: all of it, by state, by operation and by cause.
#pragma once

#include <vector>

#include "platform/measure/figures.h"

namespace ftlab::platform {

void append_energy_figures(std::vector<Figure>& out);

}  // namespace ftlab::platform
