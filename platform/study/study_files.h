// From a study to the files it names, with the study's overrides applied.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "common/toml/toml_file.h"
#include "platform/files/core_spec.h"
#include "platform/files/processor_profile.h"
#include "platform/study/study.h"
#include "workloads/scenarios/scenario_config.h"

namespace ftlab::platform {

/// The part file, ready for the part's own loader (which calls finish()). Throws InputError.
spec::TomlFile open_part(const Study& study);
/// Calls `load`, the part's own loader, with it. When `load` refuses a line of the file only because of a change in it,
/// by an override or a file that is based on it, the InputError names the change. `load` may be called several times.
void load_part(const Study& study, const std::function<void(spec::TomlFile& part)>& load);

/// Host, core and scenario files likewise, for listings of their numbers.
spec::TomlFile open_host(const Study& study);
spec::TomlFile open_core(const Study& study);
spec::TomlFile open_scenario(const Study& study);

/// The host profile, checked. Throws InputError.
ProcessorProfile load_host(const Study& study);

/// The core of a study on one, at the study's clock, checked. Throws InputError.
CoreSpec load_core(const Study& study);

/// The files that the study names with its overrides, as one JSON object: a result holds it and can be repeated without
/// them. The part's profile is not applied, since the configuration names it.
nlohmann::ordered_json study_documents(const Study& study);

/// The scenario of workload.scenario, checked. Throws InputError.
workloads::ScenarioConfig load_scenario(const Study& study);

/// The workload with what only the run knows; a scenario's file is read.
workloads::WorkloadConfig workload_config_for(const Study& study, std::uint64_t logical_pages,
                                              std::uint32_t page_bytes);

}  // namespace ftlab::platform
