// Keys that a study gives although nothing in it asks for them.
#pragma once

#include <string>
#include <vector>

#include "platform/study/params.h"

namespace ftlab::platform {

/// The first condition of the key that does not hold; nullptr: the key counts.
const Condition* broken_condition(const Param& param, const Study& study);

/// One line for each of `given` whose value differs from its default and which does not count.
std::vector<std::string> without_effect(const Study& study, const std::vector<const Param*>& given);

}  // namespace ftlab::platform
