#include "platform/run/runner.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <optional>

#include "common/input_error.h"
#include "platform/files/study_files.h"
#include "platform/measure/figures.h"
#include "platform/measure/op_log.h"
#include "platform/measure/result_json.h"
#include "platform/measure/run_titles.h"
#include "platform/measure/statistics.h"
#include "platform/measure/trace_identity.h"
#include "platform/measure/workload_facts.h"
#include "platform/run/session.h"
#include "platform/run/study_mapping.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Figures whose spread over seeds is told: every number that the device or the firmware brought about.
bool spreads(const Figure& figure) {
  const bool number = figure.type == FigureType::number || figure.type == FigureType::integer;
  return number && !figure.path.starts_with("device.") && !figure.path.starts_with("host.");
}

const ordered_json& at_path(const ordered_json& document, std::string path) {
  for (char& c : path) c = c == '.' ? '/' : c;
  return document.at(ordered_json::json_pointer("/" + path));
}

/// Nothing happened and nothing broke: the workload was empty, and figures of nothing would mislead.
void refuse_empty(const Study& study, const RunRecord& record) {
  if (record.host.requests > 0 || !record.end_reason.empty()) return;
  const WorkloadChoices& w = study.workload;
  if (w.kind == "trace") {
    throw InputError(
        w.path +
        ": no request of this trace takes part in the run, so nothing was measured; check workload.device, "
        "workload.action, workload.reads, workload.limit_requests and workload.write_scale (`ftlab trace "
        "info` shows what the trace holds)");
  }
  if (w.kind == "scenario") {
    throw InputError("workload.scenario: " + w.scenario +
                     " asks for nothing, so nothing was measured; check its sizes and scenario_overrides");
  }
  throw InputError(
      "workload.total_mib: too small for one request, so nothing was measured; raise it, or lower "
      "workload.request_bytes");
}

std::size_t count_ended_early(const std::vector<ordered_json>& documents) {
  return static_cast<std::size_t>(std::ranges::count_if(
      documents, [](const ordered_json& document) { return document.at("host").at("ended_early").get<bool>(); }));
}

/// Runs of one study that end differently are no sample of one thing.
ordered_json ensemble_warnings(std::size_t ended, std::size_t runs) {
  ordered_json warnings = ordered_json::array();
  if (ended > 0 && ended < runs) {
    warnings.push_back(std::to_string(ended) + " of " + std::to_string(runs) +
                       " runs ended early at the device's end of life; means over all of them mix whole and cut runs");
  }
  return warnings;
}

}  // namespace

ordered_json run_study(const Study& study, const RunOptions& options) {
  // The kernel greets on stderr otherwise.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  const auto wall_start = std::chrono::steady_clock::now();
  const double cpu_start = cpu_seconds();
  const ProcessorProfile host = load_host(study);
  const std::string digest = identified_trace(study);
  std::optional<OpLog> log;
  if (!options.ops_log.empty()) log.emplace(options.ops_log);

  const SessionInput input{study, firmware_factory(study), log ? &*log : nullptr, options.progress};
  RunRecord record;
  Machine machine(device_factory(study, host, log.has_value()), host, processor_options_for(study),
                  [&](Machine& built) { record = run_session(built, input); });
  machine.run();
  record.device.host_name = host.name;
  record.device.host_title = host.title;
  refuse_empty(study, record);
  if (log) log->close();
  record.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start).count();
  record.cpu_s = cpu_seconds() - cpu_start;

  ordered_json json;
  json["schema"] = "ftlab-result";
  json["version"] = 1;
  Study resolved = study;
  if (study.workload.kind == "trace") resolved.trace.write_scale = record.write_scale;
  json["config"] = resolved_config(resolved);
  json["config"]["workload"]["sha256"] = digest;
  json["config"]["documents"] = study_documents(study);
  json["seed"] = study.seed;
  const ordered_json sections = result_sections(record);
  json["device"] = sections.at("device");
  json["workload"] = workload_facts(resolved);
  for (const auto& [name, section] : sections.items()) json[name] = section;
  json["summary"] = run_titles(resolved, json);
  json["run"] = run_section(record);
  return json;
}

ordered_json run_seeds(const Study& study, unsigned seeds, const FarmOptions& options) {
  std::vector<Job> jobs;
  std::vector<std::uint64_t> used;
  for (unsigned i = 0; i < seeds; ++i) {
    Study one = study;
    one.seed = study.seed + i;
    used.push_back(one.seed);
    jobs.push_back({"seed " + std::to_string(one.seed), [one](const ProgressFn& progress) {
                      return run_study(one, {.ops_log = {}, .progress = progress});
                    }});
  }
  const auto documents = run_jobs(jobs, options);
  ordered_json json = documents.front();
  const ordered_json run = json.at("run");
  json.erase("run");
  ordered_json spread = ordered_json::object();
  for (const Figure& figure : figures()) {
    if (!spreads(figure)) continue;
    std::vector<double> values;
    for (const auto& document : documents) {
      const ordered_json& value = at_path(document, figure.path);
      if (value.is_number()) values.push_back(value.get<double>());
    }
    if (values.size() != documents.size()) continue;
    const Sample sample = summarize(values);
    const double half = half_width_95(sample);
    spread[figure.path] = {
        {"mean", sample.mean}, {"stddev", sample.stddev}, {"low", sample.mean - half}, {"high", sample.mean + half}};
  }
  const std::size_t ended = count_ended_early(documents);
  json["ensemble"] = {{"seeds", used},
                      {"ended_early", ended},
                      {"figures", spread},
                      {"warnings", ensemble_warnings(ended, documents.size())}};
  json["run"] = run;
  return json;
}

}  // namespace ftlab::platform
