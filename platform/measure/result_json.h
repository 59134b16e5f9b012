// RunRecord -> result.json (schema ftlab-result 1, docs/results.md). Knows keys and units; computes nothing new but
// means, shares and rates.
#pragma once

#include <nlohmann/json.hpp>

#include "platform/measure/run_record.h"

namespace ftlab::platform {

/// Everything but `config`, `seed` and `workload`, which the caller knows.
nlohmann::ordered_json result_sections(const RunRecord& record);

/// `run` section: program, version, processor time, memory.
nlohmann::ordered_json run_section(const RunRecord& record);

}  // namespace ftlab::platform
