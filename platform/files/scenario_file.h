// Scenario files: TOML -> ScenarioConfig. Knows keys, units and ranges; what a value does is in
// workloads/scenarios/scenario_config.h. Every number has a unit and a source; a source that begins with "free:" marks
// a value that no publication gives and that studies vary.
#pragma once

#include <string>
#include <vector>

#include "common/toml/toml_file.h"
#include "workloads/scenarios/scenario_config.h"

namespace ftlab::platform {

/// Reads every key of the file's shape and refuses others. page_bytes keeps its default. Throws InputError.
workloads::ScenarioConfig load_scenario_config(const spec::TomlFile& file);

/// Dotted keys of the unpublished parameters, in file order.
std::vector<std::string> unpublished_parameters(const spec::TomlFile& file);

}  // namespace ftlab::platform
