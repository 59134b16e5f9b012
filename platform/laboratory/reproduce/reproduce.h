// Runs experiments and gathers reproduce.json, with the parameters that stand behind the figures.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/laboratory/process_pool.h"

namespace ftlab::platform {

struct ReproduceOptions {
  std::vector<std::string> names;  ///< empty = all
  std::vector<std::string> hosts;  ///< machines of Table 4 to run; empty = both
  std::vector<std::uint64_t> seeds{1, 2, 3, 4};
  bool vary = true;  ///< also vary what the papers leave open
  ProcessPoolOptions pool;
};

/// Throws InputError for an unknown name (nearest one named).
nlohmann::ordered_json run_reproduce(const ReproduceOptions& options);

}  // namespace ftlab::platform
