// Processor time of the nine Pentium cells of Table 4: register-level access and real content, a process each.
#include <benchmark/benchmark.h>

#include "platform/laboratory/reproduce/fms_cells.h"
#include "platform/run/runner.h"

extern "C" int sc_main(int, char**) { return 0; }

namespace ftlab::platform {
namespace {

void run_cell(benchmark::State& state, const FmsCell& cell) {
  const Study study = parse_study("", "benchmark", fms_settings(cell));
  for ([[maybe_unused]] auto _ : state) {
    const auto documents = run_jobs({{"cell", [&](const ProgressFn&) { return run_study(study); }}}, {});
    const auto& document = documents.front();
    state.SetIterationTime(document.at("run").at("cpu_s").get<double>());
    state.counters["simulated_s"] = document.at("time").at("simulated_s").get<double>();
    state.counters["host_writes_per_cpu_s"] = document.at("run").at("host_writes_per_cpu_s").get<double>();
  }
}

void register_cells() {
  for (const auto& workload : kFmsWorkloads) {
    for (const auto& policy : kFmsPolicies) {
      const FmsCell cell{"pentium-133", workload.name, policy.name, {}};
      benchmark::RegisterBenchmark((cell.workload + "/" + cell.policy).c_str(),
                                   [cell](benchmark::State& state) { run_cell(state, cell); })
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
