// Processor time of the nine Pentium cells of Table 4: register-level access and real content, a process each.
// Knows the cells' settings; what the paper measured stands in reports/src/ftlab/experiments/fms.
#include <benchmark/benchmark.h>

#include "platform/bench/in_child.h"
#include "platform/study/study.h"

extern "C" int sc_main(int, char**) { return 0; }

namespace ftlab::platform {
namespace {

struct Workload {
  const char* name;
  const char* kind;
};
constexpr Workload kWorkloads[] = {{"sequential", "sequential"}, {"random", "uniform"}, {"locality", "hot_cold"}};

struct Policy {
  const char* selection;
  const char* redistribution;
};
constexpr Policy kPolicies[] = {{"greedy", "sequential"}, {"cost_benefit", "segment_based"}, {"cat", "fine_grained"}};

std::vector<Setting> settings_of(const Workload& workload, const Policy& policy) {
  return {{"part", "series2plus-24mb", "benchmark"},
          {"host", "pentium-133", "benchmark"},
          {"ftl.page_bytes", "4096", "benchmark"},
          {"ftl.utilization", "0.9", "benchmark"},
          {"ftl.age_clock", "writes", "benchmark"},
          {"ftl.selection", policy.selection, "benchmark"},
          {"ftl.redistribution", policy.redistribution, "benchmark"},
          {"workload.kind", workload.kind, "benchmark"},
          {"workload.hot_access", "0.9", "benchmark"},
          {"workload.hot_data", "0.1", "benchmark"},
          {"workload.total_mib", "192", "benchmark"}};
}

void run_cell(benchmark::State& state, const Study& study) {
  for ([[maybe_unused]] auto _ : state) {
    const auto document = run_in_child(study);
    state.SetIterationTime(document.at("run").at("cpu_s").get<double>());
    state.counters["simulated_s"] = document.at("time").at("simulated_s").get<double>();
    state.counters["host_writes_per_cpu_s"] = document.at("run").at("host_writes_per_cpu_s").get<double>();
  }
}

void register_cells() {
  for (const Workload& workload : kWorkloads) {
    for (const Policy& policy : kPolicies) {
      const Study study = parse_study("", "benchmark", settings_of(workload, policy));
      benchmark::RegisterBenchmark((std::string(workload.name) + "/" + policy.selection).c_str(),
                                   [study](benchmark::State& state) { run_cell(state, study); })
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace
}  // namespace ftlab::platform

int main(int argc, char** argv) {
  ftlab::platform::register_cells();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
