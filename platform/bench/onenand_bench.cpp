// Processor time of random 4 KiB writes to a Flex-OneNAND: register-level access, one process a run.
// Page programs (host's, cleaning's and the file system's own) per CPU second are the figure to compare.
#include <benchmark/benchmark.h>

#include "platform/bench/in_child.h"
#include "platform/study/study.h"

extern "C" int sc_main(int, char**) { return 0; }

namespace ftlab::platform {
namespace {

struct Case {
  const char* name;
  std::vector<Setting> firmware;
};

std::vector<Setting> settings_of(const Case& wanted, bool content) {
  std::vector<Setting> settings{{"part", "flexonenand-4gb", "benchmark"},
                                {"host", "omap2420-400", "benchmark"},
                                {"part_overrides.segments_per_die", "256", "benchmark"},
                                {"part_overrides.bad_segments.reserve", "0", "benchmark"},
                                {"ftl.page_bytes", "4096", "benchmark"},
                                {"ftl.utilization", "0.8", "benchmark"},
                                {"workload.kind", "uniform", "benchmark"},
                                {"workload.total_mib", "1024", "benchmark"},
                                {"platform.store_content", content ? "true" : "false", "benchmark"}};
  settings.insert(settings.end(), wanted.firmware.begin(), wanted.firmware.end());
  return settings;
}

void run_case(benchmark::State& state, const Case& wanted, bool content) {
  const Study study = parse_study("", "benchmark", settings_of(wanted, content));
  for ([[maybe_unused]] auto _ : state) {
    const auto document = run_in_child(study);
    const double cpu_s = document.at("run").at("cpu_s").get<double>();
    state.SetIterationTime(cpu_s);
    // The measured phase alone; the fill's programs are not counted, though its time is.
    state.counters["page_programs_per_cpu_s"] = document.at("flash").at("programs").get<double>() / cpu_s;
    state.counters["page_programs"] = document.at("flash").at("programs").get<double>();
    state.counters["write_amplification"] = document.at("write_amplification").get<double>();
  }
}

}  // namespace
}  // namespace ftlab::platform

int main(int argc, char** argv) {
  using namespace ftlab::platform;
  const std::vector<Case> cases{{"fms_greedy",
                                 {{"ftl.firmware", "fms", "benchmark"},
                                  {"ftl.selection", "greedy", "benchmark"},
                                  {"ftl.redistribution", "sequential", "benchmark"}}},
                                {"flexfs_mlc_only",
                                 {{"ftl.firmware", "flexfs", "benchmark"},
                                  {"flexfs.scheme", "mlc_only", "benchmark"},
                                  {"flexfs.wear_management", "false", "benchmark"}}}};
  for (const Case& one : cases) {
    for (const bool content : {true, false}) {
      benchmark::RegisterBenchmark((std::string(one.name) + (content ? "/content" : "/no_content")).c_str(),
                                   [one, content](benchmark::State& state) { run_case(state, one, content); })
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
