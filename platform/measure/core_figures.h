// Figures of runs whose firmware a simulated core executes; other runs lack them.
#pragma once

#include <vector>

#include "platform/measure/figures.h"

namespace ftlab::platform {

void append_core_figures(std::vector<Figure>& out);

}  // namespace ftlab::platform
