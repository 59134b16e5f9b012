// Runs one study in this process and returns its result.json. One call per process: the SystemC kernel is global.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "platform/run/progress_fn.h"
#include "platform/run/run_logs.h"
#include "platform/study/study.h"

namespace ftlab::platform {

struct RunOptions {
  LogFiles logs;
  ProgressFn progress;                      ///< may be empty
  std::optional<std::uint16_t> gdb_port{};  ///< a debugger holds the simulated core; 0: any port
  /// Takes lines that firmware on a core writes to its UART; may be empty.
  std::function<void(double at_s, std::string_view line)> console = {};
  /// Takes a line each, at the end of the run, on what the user should know although it is no error; may be empty.
  std::function<void(std::string_view line)> remark = {};
};

/// The whole document, schema ftlab-result 1. Throws InputError for what the user can mend.
nlohmann::ordered_json run_study(const Study& study, const RunOptions& options = {});

}  // namespace ftlab::platform
