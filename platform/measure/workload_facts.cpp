#include "platform/measure/workload_facts.h"

#include <fmt/format.h>

#include <filesystem>

#include "platform/run/study_mapping.h"
#include "workloads/traces/trace_info.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

std::string generated_title(const WorkloadChoices& w) {
  std::string text;
  switch (w.kind) {
    case WorkloadKind::sequential:
      text = "sequential overwrites";
      break;
    case WorkloadKind::uniform:
      text = "uniform random overwrites";
      break;
    case WorkloadKind::hot_cold:
      text = fmt::format("{:g} % of accesses to {:g} % of the data", w.hot_access * 100, w.hot_data * 100);
      break;
    case WorkloadKind::classes:
      text = fmt::format("{} classes of data", w.class_access.size());
      break;
    case WorkloadKind::scenario:
      return "scenario " + std::filesystem::path(w.scenario).stem().string();
    case WorkloadKind::trace:
      break;
  }
  if (w.read_share > 0) text += fmt::format(", {:g} % reads", w.read_share * 100);
  return text + fmt::format(", {:g} MiB", w.total_mib);
}

std::string mapping_text(const WorkloadChoices& w) {
  std::string text = w.address == AddressMapping::compact             ? "touched pages numbered in order of first use"
                     : w.address == AddressMapping::compact_scattered ? "touched pages scattered at random"
                     : w.address == AddressMapping::modulo            ? "addresses modulo the device"
                                                                      : "addresses as they are";
  if (!w.device.empty()) text += fmt::format("; only device {}", fmt::join(w.device, ", "));
  if (!w.reads) text += "; writes only";
  if (w.write_scale != 1) text += fmt::format("; volume scaled by {:g}", w.write_scale);
  if (w.limit_requests > 0) text += fmt::format("; the first {} requests", w.limit_requests);
  if (w.repeat > 1) text += fmt::format("; {} passes", w.repeat);
  return text;
}

ordered_json trace_section(const Study& study) {
  const workloads::TraceConfig config = workload_config_for(study, 0).trace;
  workloads::TraceInfoOptions options;
  options.format = config.format;
  options.page_bytes = config.page_bytes;
  options.devices = config.devices;
  options.action = config.action;
  const workloads::TraceInfo info = workloads::collect_trace_info(config.path, options);
  return {{"file", std::filesystem::path(config.path).filename().string()},
          {"format", info.format},
          {"requests", info.requests},
          {"reads", info.reads},
          {"writes", info.writes},
          {"bytes_read", info.bytes_read},
          {"bytes_written", info.bytes_written},
          {"unique_pages", info.pages_touched},
          {"span_s", to_seconds(info.duration)},
          {"hottest_1pct_share", info.hottest_1_percent},
          {"hottest_10pct_share", info.hottest_10_percent},
          {"last_line_open", info.last_line_open},
          {"mapping", mapping_text(study.workload)}};
}

}  // namespace

ordered_json workload_facts(const Study& study) {
  const WorkloadChoices& w = study.workload;
  const bool trace = w.kind == WorkloadKind::trace;
  ordered_json json;
  json["kind"] = workload_config_for(study, 0).kind;
  json["title"] = trace ? "trace " + std::filesystem::path(w.path).filename().string() : generated_title(w);
  json["arrival"] = w.arrival == Arrival::closed ? "closed_loop" : w.arrival == Arrival::poisson ? "poisson" : "trace";
  json["utilization"] = study.ftl.utilization;
  json["measured"] = w.fill ? "the workload, after the device was filled with its initial data" : "the workload";
  if (trace) json["trace"] = trace_section(study);
  return json;
}

}  // namespace ftlab::platform
