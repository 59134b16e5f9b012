// Figures of erase counts: over all segments, over those that carry data, and each.
#pragma once

#include <vector>

#include "platform/measure/figures.h"

namespace ftlab::platform {

void append_wear_figures(std::vector<Figure>& out);

}  // namespace ftlab::platform
