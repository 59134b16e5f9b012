// Runs independent simulations in child processes and collects what they return.
// A process per simulation because the SystemC kernel is global; results come back in the order of the jobs.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/run/progress_fn.h"

namespace ftlab::platform {

struct Job {
  std::string label;
  std::function<nlohmann::ordered_json(const ProgressFn&)> work;
};

struct ProcessPoolOptions {
  unsigned parallel = 0;  ///< processes at once; 0 = number of processors
  /// Overall share done, and the label of a job that made progress; may be empty.
  std::function<void(double share, const std::string& label)> progress;
};

/// Throws InputError when a job threw one, std::runtime_error with the job's label when a job failed otherwise;
/// the remaining children are ended first.
std::vector<nlohmann::ordered_json> run_jobs(const std::vector<Job>& jobs, const ProcessPoolOptions& options);

}  // namespace ftlab::platform
