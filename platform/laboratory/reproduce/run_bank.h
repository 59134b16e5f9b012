// Simulations that experiments ask for, each run once however many experiments need it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/laboratory/process_pool.h"
#include "platform/study/study.h"

namespace ftlab::platform {

/// A study as settings on top of the defaults; equal settings and seed mean the same run.
struct RunRequest {
  std::string label;  ///< for progress and errors
  std::vector<Setting> settings;
  std::uint64_t seed = 1;
};

/// Whether documents stay in memory, a megabyte or two each, for experiments to come.
enum class Keep { yes, no };

class RunBank {
 public:
  explicit RunBank(ProcessPoolOptions options) : options_(std::move(options)) {}

  /// Documents in the order of the requests; runs what is not known yet.
  std::vector<nlohmann::ordered_json> run(const std::vector<RunRequest>& requests, Keep keep = Keep::yes);
  /// For experiments with jobs of their own.
  [[nodiscard]] const ProcessPoolOptions& options() const { return options_; }

 private:
  ProcessPoolOptions options_;
  std::map<std::string, nlohmann::ordered_json> known_;
};

}  // namespace ftlab::platform
