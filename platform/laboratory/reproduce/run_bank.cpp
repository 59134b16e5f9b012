#include "platform/laboratory/reproduce/run_bank.h"

#include "platform/run/runner.h"

namespace ftlab::platform {
namespace {

std::string key_of(const RunRequest& request) {
  std::string key = std::to_string(request.seed);
  for (const Setting& setting : request.settings) key += "|" + setting.key + "=" + setting.text;
  return key;
}

}  // namespace

std::vector<nlohmann::ordered_json> RunBank::run(const std::vector<RunRequest>& requests, Keep keep) {
  std::vector<Job> jobs;
  std::map<std::string, nlohmann::ordered_json> fresh;
  std::vector<std::string> keys;
  for (const RunRequest& request : requests) {
    const std::string key = key_of(request);
    if (known_.contains(key) || !fresh.emplace(key, nullptr).second) continue;
    keys.push_back(key);
    std::vector<Setting> settings = request.settings;
    settings.push_back({"seed", std::to_string(request.seed), "reproduce"});
    const Study study = parse_study("", "reproduce", settings);
    jobs.push_back({request.label, [study](const ProgressFn& progress) {
                      return run_study(study, {.ops_log = {}, .progress = progress});
                    }});
  }
  auto results = run_jobs(jobs, options_);
  for (std::size_t i = 0; i < keys.size(); ++i) fresh[keys[i]] = std::move(results[i]);
  if (keep == Keep::yes) known_.merge(fresh);
  std::vector<nlohmann::ordered_json> documents;
  documents.reserve(requests.size());
  for (const RunRequest& request : requests) {
    const std::string key = key_of(request);
    const auto known = known_.find(key);
    documents.push_back(known != known_.end() ? known->second : fresh.at(key));
  }
  return documents;
}

}  // namespace ftlab::platform
