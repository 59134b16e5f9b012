// The main study: the papers' three cleaning policies on the HP workstation trace and on the generated workloads.
// Knows which runs it wants and what it compares; the runs themselves are run_study's.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "platform/laboratory/process_pool.h"

namespace ftlab::platform {

struct MainStudyOptions {
  std::string trace;  ///< the hplajw trace; empty = look in $FTLAB_TRACE_DIR, else a generated workload
  std::uint64_t seed = 1;
  ProcessPoolOptions pool;
};

struct MainStudyResult {
  nlohmann::ordered_json study;                                         ///< study.json
  std::vector<std::pair<std::string, nlohmann::ordered_json>> results;  ///< folder name, result.json
  nlohmann::ordered_json reproduce;                                     ///< reproduce.json: Table 4, Pentium, one seed
};

/// Throws InputError when a named trace cannot be read.
MainStudyResult run_main_study(const MainStudyOptions& options);

}  // namespace ftlab::platform
