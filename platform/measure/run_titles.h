// What ran, in three lines for people: the device with what overrides changed, the firmware with its policies, the
// workload with how it arrived. Knows words; nothing of figures.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/study/study.h"

namespace ftlab::platform {

/// `device`, `firmware` and `workload`, each a line without its full stop. `sections` holds the result's own `device`
/// and `workload`.
nlohmann::ordered_json run_titles(const Study& study, const nlohmann::ordered_json& sections);

/// "scale = 2 MiB, name = x" of the keys that overrides changed, empty for none; units are those of the file.
std::string changes_of_part(const Study& study);
std::string changes_of_host(const Study& study);
std::string changes_of_scenario(const Study& study);

}  // namespace ftlab::platform
