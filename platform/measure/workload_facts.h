// The `workload` section of result.json: what was asked of the device, in words and numbers for people.
#pragma once

#include <nlohmann/json.hpp>

#include "platform/study/study.h"

namespace ftlab::platform {

/// For a trace, reads it once more to count what it holds. Throws InputError when it cannot be read.
nlohmann::ordered_json workload_facts(const Study& study);

}  // namespace ftlab::platform
