// Figures of wear and errors: what failed, what was corrected, how long the part will last at this rate.
#pragma once

#include <vector>

#include "platform/measure/figures.h"

namespace ftlab::platform {

void append_reliability_figures(std::vector<Figure>& out);

}  // namespace ftlab::platform
