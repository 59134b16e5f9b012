// Runs studies for system tests, each in a child process (the SystemC kernel is global).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/laboratory/process_pool.h"
#include "platform/run/runner.h"

namespace ftlab::platform {

/// Small enough for seconds with sanitizers: 4 MB card, a few MiB of writes.
inline std::vector<Setting> small_study(std::vector<Setting> more = {}) {
  std::vector<Setting> settings{
      {"part", "series2plus-4mb", "test"}, {"ftl.utilization", "0.8", "test"}, {"workload.total_mib", "6", "test"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

inline std::vector<nlohmann::ordered_json> run_all(const std::vector<std::vector<Setting>>& studies,
                                                   const std::string& ops_log = {}) {
  std::vector<Job> jobs;
  for (const auto& settings : studies) {
    const Study study = parse_study("", "test", settings);
    jobs.push_back({"test", [study, ops_log](const ProgressFn&) {
                      return run_study(study, {.ops_log = ops_log, .progress = {}});
                    }});
  }
  return run_jobs(jobs, {});
}

inline nlohmann::ordered_json run_one_study(const std::vector<Setting>& settings, const std::string& ops_log = {}) {
  return run_all({settings}, ops_log).front();
}

}  // namespace ftlab::platform
