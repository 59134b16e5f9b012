// Figures of parts that tell how long each die works and each channel is taken, and of their link; other runs lack
// them.
#pragma once

#include <vector>

#include "platform/measure/figures.h"

namespace ftlab::platform {

void append_die_figures(std::vector<Figure>& out);

}  // namespace ftlab::platform
