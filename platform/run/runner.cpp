#include "platform/run/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "common/input_error.h"
#include "platform/measure/figures.h"
#include "platform/measure/process_cost.h"
#include "platform/measure/result_json.h"
#include "platform/measure/run_titles.h"
#include "platform/measure/trace_identity.h"
#include "platform/measure/workload_facts.h"
#include "platform/run/session.h"
#include "platform/run/time_spent.h"
#include "platform/study/study_files.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

/// Nothing happened and nothing broke: the workload was empty, and figures of nothing would mislead.
void refuse_empty(const Study& study, const RunRecord& record) {
  if (record.host.requests > 0 || !record.end_reason.empty()) return;
  const WorkloadChoices& w = study.workload;
  if (record.warm_up_requests > 0 && !study.is_generated()) {
    throw InputError(
        study.where_of("workload.warm_up_overwrites") +
        fmt::format("{:g} times the logical size take all {} requests of {}, so nothing was measured; lower it{}",
                    w.warm_up_overwrites, record.warm_up_requests,
                    w.kind == "trace" ? w.path : "the scenario " + w.scenario,
                    w.kind == "trace" ? ", or replay the trace more often (workload.repeat)" : ""));
  }
  if (w.kind == "trace") {
    throw InputError(
        w.path +
        ": no request of this trace takes part in the run, so nothing was measured; check workload.device, "
        "workload.action, workload.reads, workload.limit_requests and workload.write_scale (`ftlab trace "
        "info` shows what the trace holds)");
  }
  if (w.kind == "scenario") {
    throw InputError(study.where_of("workload.scenario") + w.scenario +
                     " asks for nothing, so nothing was measured; check its sizes and scenario_overrides");
  }
  throw InputError(study.where_of(study.generator.overwrites > 0 ? "workload.overwrites" : "workload.total_mib") +
                   "too small for one request, so nothing was measured; raise it, or lower workload.request_bytes");
}

}  // namespace

ordered_json run_study(const Study& study, const RunOptions& options) {
  // The kernel greets on stderr otherwise.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  const auto wall_start = std::chrono::steady_clock::now();
  const double cpu_start = process_cpu_s();
  const ProcessorProfile host = load_host(study);
  const std::string digest = identified_trace(study);
  const std::string program = identified_program(study);
  RunLogs logs(options.logs);

  SessionInput input{study, logs.operations(), nullptr, options.progress};
  RunRecord record;
  const LogSpan& span = options.logs.span;
  CoreWatch watch{options.gdb_port, logs.profile(), logs.coverage(), {span.from(), span.to(), logs.instructions()}};
  if (options.console)
    watch.console = [&options](Ticks at, std::string_view line) { options.console(to_seconds(at), line); };
  Machine machine(device_factory(study, host, input.sink != nullptr), processor_factory(study, host, watch),
                  [&](Machine& built) {
                    input.observer = logs.requests(built.ledger());
                    record = run_session(built, input);
                  });
  try {
    machine.run();
  } catch (const ClockEnded& end) {
    throw InputError(fmt::format("{}; {}", end.what(), where_time_went(study, host, machine.ledger().totals())));
  }
  record.device.host_name = host.name;
  record.device.host_title = host.title;
  if (study.on_core()) {
    constexpr double kMega = 1e6;
    const CoreSpec core = load_core(study);
    record.device.host_title = fmt::format("a simulated {} at {:g} MHz, bus of {}", core.title,
                                           static_cast<double>(core.hz) / kMega, host.title);
  }
  refuse_empty(study, record);
  if (options.remark) std::ranges::for_each(record.remarks, options.remark);
  logs.close();
  record.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start).count();
  record.cpu_s = process_cpu_s() - cpu_start;

  ordered_json json;
  json["schema"] = "ftlab-result";
  json["version"] = 1;
  Study resolved = study;
  if (study.ftl.page_bytes == 0) resolved.ftl.page_bytes = record.device.page_bytes;
  if (study.generator.request_bytes == 0) resolved.generator.request_bytes = record.device.page_bytes;
  if (study.workload.kind == "trace") resolved.trace.write_scale = record.write_scale;
  json["config"] = resolved_config(resolved);
  json["config"]["workload"]["sha256"] = digest;
  if (!program.empty()) json["config"]["firmware"]["sha256"] = program;
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

}  // namespace ftlab::platform
