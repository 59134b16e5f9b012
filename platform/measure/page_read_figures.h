// Figures of what reads of an array's pages met: retries, raw bit errors, what no step could read, by page type.
#pragma once

#include <vector>

#include "platform/measure/figures.h"

namespace ftlab::platform {

void append_page_read_figures(std::vector<Figure>& out);

}  // namespace ftlab::platform
