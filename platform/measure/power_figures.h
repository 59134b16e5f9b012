// Figures of runs whose study plans losses of power; other runs lack them.
#pragma once

#include <vector>

#include "platform/measure/figures.h"

namespace ftlab::platform {

void append_power_figures(std::vector<Figure>& out);

}  // namespace ftlab::platform
