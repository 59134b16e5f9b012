// Studies on simulated cores beside native ones, a process each: what it costs to execute the firmware's instructions,
// by DMA and, as "cells", with a bus transaction for each cell that a driver copies. Knows the studies' settings.
#include <benchmark/benchmark.h>

#include "common/input_error.h"
#include "platform/bench/in_child.h"
#include "platform/files/program_file.h"
#include "platform/study/study.h"

extern "C" int sc_main(int, char**) { return 0; }

namespace ftlab::platform {
namespace {

using Settings = std::vector<Setting>;

struct Load {
  const char* name;
  Settings settings;
};

/// The FMS on a card and on a Flex-OneNAND, and the page-mapped layer on an array.
std::vector<Load> loads() {
  return {{"card",
           {{"part", "series2plus-4mb", ""},
            {"ftl.utilization", "0.8", ""},
            {"workload.fill", "false", ""},
            {"workload.total_mib", "8", ""}}},
          {"onenand",
           {{"part", "flexonenand-4gb", ""},
            {"part_overrides.segments_per_die", "64", ""},
            {"host", "omap2420-400", ""},
            {"ftl.utilization", "0.6", ""},
            {"workload.fill", "false", ""},
            {"workload.read_share", "0.5", ""},
            {"workload.total_mib", "16", ""}}},
          {"array",
           {{"part", "array-tlc", ""},
            {"part_overrides.segments", "64", ""},
            {"part_overrides.channels", "2", ""},
            {"part_overrides.dies_per_channel", "2", ""},
            {"ftl.spare_factor", "0.3", ""},
            {"workload.fill", "false", ""},
            {"workload.warm_up_overwrites", "0", ""},
            {"workload.overwrites", "4", ""}}}};
}

struct Way {
  const char* name;
  const char* processor;
  const char* dma;
};
constexpr Way kWays[] = {{"native", "native", nullptr},
                         {"arm", "arm", nullptr},
                         {"riscv", "riscv", nullptr},
                         {"arm_cells", "arm", "false"},
                         {"riscv_cells", "riscv", "false"}};

void run(benchmark::State& state, const Settings& settings, std::string_view processor) {
  try {
    if (processor != "native") (void)program_file(processor, "");
  } catch (const InputError& error) {
    return state.SkipWithError(error.what());
  }
  for ([[maybe_unused]] auto _ : state) {
    const auto result = run_in_child(parse_study("", "benchmark", settings));
    const auto cpu_s = result.at("run").at("cpu_s").get<double>();
    state.SetIterationTime(cpu_s);
    state.counters["host_writes_per_cpu_s"] = result.at("run").at("host_writes_per_cpu_s").get<double>();
    if (result.contains("processor"))
      state.counters["instructions_per_cpu_s"] = result.at("processor").at("instructions").get<double>() / cpu_s;
  }
}

void register_all() {
  for (const Load& load : loads()) {
    for (const Way& way : kWays) {
      if (way.dma != nullptr && std::string_view(load.name) == "array") continue;
      Settings settings = load.settings;
      settings.push_back({"platform.processor", way.processor, ""});
      if (way.dma != nullptr) settings.push_back({"platform.dma", way.dma, ""});
      benchmark::RegisterBenchmark(
          (std::string(load.name) + "/" + way.name).c_str(),
          [settings, processor = way.processor](benchmark::State& state) { run(state, settings, processor); })
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace
}  // namespace ftlab::platform

int main(int argc, char** argv) {
  ftlab::platform::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
