#include "platform/measure/workload_facts.h"

#include <fmt/format.h>

#include <filesystem>

#include "platform/study/firmware_row.h"
#include "platform/study/study_files.h"
#include "workloads/traces/trace_info.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

std::string generated_title(const Study& study) {
  const std::string& kind = study.workload.kind;
  const workloads::GeneratorConfig& g = study.generator;
  if (kind == "scenario") return "scenario " + std::filesystem::path(study.workload.scenario).stem().string();
  std::string text = kind == "sequential" ? "sequential overwrites"
                     : kind == "uniform"  ? "uniform random overwrites"
                     : kind == "hot_cold"
                         ? fmt::format("{:g} % of accesses to {:g} % of the data", g.hot_access * 100, g.hot_data * 100)
                         : fmt::format("{} classes of data", g.class_access.size());
  if (g.read_share > 0) text += fmt::format(", {:g} % reads", g.read_share * 100);
  if (g.overwrites > 0) return text + fmt::format(", {:g} times the logical size", g.overwrites);
  return text + fmt::format(", {:g} MiB", static_cast<double>(g.total_bytes) / static_cast<double>(kMiB));
}

std::string mapping_text(const workloads::TraceConfig& t) {
  std::string text = t.address == "compact"             ? "touched pages numbered in order of first use"
                     : t.address == "compact_scattered" ? "touched pages scattered at random"
                     : t.address == "modulo"            ? "addresses modulo the device"
                     : t.address == "scaled"            ? "traced device scaled to this one"
                                                        : "addresses as they are";
  if (!t.devices.empty()) text += fmt::format("; only device {}", fmt::join(t.devices, ", "));
  if (!t.reads) text += "; writes only";
  if (t.write_scale != 1) text += fmt::format("; volume scaled by {:g}", t.write_scale);
  if (t.limit_requests > 0) text += fmt::format("; the first {} requests", t.limit_requests);
  if (t.repeat > 1) text += fmt::format("; {} passes", t.repeat);
  if (t.pass_shift > 0 && (t.repeat > 1 || t.write_scale > 1))
    text += fmt::format("; each pass {} pages further on", t.pass_shift);
  return text;
}

std::string measured_text(const WorkloadChoices& w) {
  std::string text = "the workload";
  if (w.warm_up_overwrites > 0)
    text +=
        fmt::format(" without its warm-up (what it writes first, {:g} times the logical size)", w.warm_up_overwrites);
  if (w.fill) text += ", after the device was filled with its initial data";
  return text;
}

ordered_json trace_section(const Study& study) {
  const workloads::TraceConfig config =
      workload_config_for(study, 0, static_cast<std::uint32_t>(study.ftl.page_bytes)).trace;
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
          {"empty_requests", info.empty_requests},
          {"bytes_read", info.bytes_read},
          {"bytes_written", info.bytes_written},
          {"unique_pages", info.pages_touched},
          {"span_s", to_seconds(info.duration)},
          {"hottest_1pct_share", info.hottest_1_percent},
          {"hottest_10pct_share", info.hottest_10_percent},
          {"last_line_open", info.last_line_open},
          {"mapping", mapping_text(study.trace)}};
}

}  // namespace

ordered_json workload_facts(const Study& study) {
  const WorkloadChoices& w = study.workload;
  const bool trace = w.kind == "trace";
  ordered_json json;
  json["kind"] = w.kind;
  json["title"] = trace ? "trace " + std::filesystem::path(w.path).filename().string() : generated_title(study);
  const workloads::Arrival arrival = study.arrival.kind;
  json["arrival"] = arrival == workloads::Arrival::closed_loop ? "closed_loop"
                    : arrival == workloads::Arrival::poisson   ? "poisson"
                                                               : "trace";
  if (firmware_of(study).program == nullptr) json["utilization"] = study.ftl.utilization;
  json["measured"] = measured_text(w);
  if (trace) json["trace"] = trace_section(study);
  return json;
}

}  // namespace ftlab::platform
