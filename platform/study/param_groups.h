// Inside of params.cpp: groups of rows that are long enough for a file of their own.
#pragma once

#include <vector>

#include "platform/study/params.h"

namespace ftlab::platform {

std::vector<Param> flexfs_rows();

}  // namespace ftlab::platform
