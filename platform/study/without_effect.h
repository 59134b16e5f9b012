// Keys that a study gives although nothing in it asks for them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/study/params.h"

namespace ftlab::platform {

/// Where a key counts, in the words of a study.
struct Condition {
  std::string_view with;
  bool (*holds)(const Study& study);
};
/// nullptr: it counts always.
const Condition* condition_of(std::string_view key);

/// One line for each of `given` whose value differs from its default and whose condition does not hold.
std::vector<std::string> without_effect(const Study& study, const std::vector<const Param*>& given);

}  // namespace ftlab::platform
