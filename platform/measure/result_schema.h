// The JSON Schema of result.json (draft 2020-12), generated from the registry of figures and the keys of a study.
#pragma once

#include <nlohmann/json.hpp>

namespace ftlab::platform {

nlohmann::ordered_json result_schema();

}  // namespace ftlab::platform
