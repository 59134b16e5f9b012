// One study with several seeds: the spread of its figures.
#pragma once

#include <nlohmann/json.hpp>

#include "platform/laboratory/process_pool.h"
#include "platform/study/study.h"

namespace ftlab::platform {

/// A process for each seed; the document of the first one plus `ensemble`.
nlohmann::ordered_json run_seeds(const Study& study, unsigned seeds, const ProcessPoolOptions& options);

}  // namespace ftlab::platform
