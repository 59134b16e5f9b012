// Runs one study in this process and returns its result.json. One call per process: the SystemC kernel is global.
#pragma once

#include <nlohmann/json.hpp>

#include "platform/run/progress_fn.h"
#include "platform/run/run_logs.h"
#include "platform/study/study.h"

namespace ftlab::platform {

struct RunOptions {
  LogFiles logs;
  ProgressFn progress;  ///< may be empty
};

/// The whole document, schema ftlab-result 1. Throws InputError for what the user can mend.
nlohmann::ordered_json run_study(const Study& study, const RunOptions& options = {});

}  // namespace ftlab::platform
