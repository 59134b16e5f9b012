#include "workloads/workloads.h"

#include <fmt/format.h>

#include <utility>

#include "common/input_error.h"
#include "workloads/arrival/poisson.h"
#include "workloads/generators/fill.h"
#include "workloads/generators/generator_source.h"
#include "workloads/generators/generators.h"
#include "workloads/scenarios/scenario_source.h"
#include "workloads/traces/trace_source.h"

namespace ftlab::workloads {
namespace {

constexpr std::string_view kTrace = "trace";
constexpr std::string_view kScenario = "scenario";

std::unique_ptr<RequestSource> make_unarrived(const WorkloadConfig& config, std::uint64_t device_bytes,
                                              std::uint64_t seed) {
  const bool with_times = config.arrival.kind == Arrival::trace;
  if (config.kind == kTrace) return make_trace_source(config.trace, device_bytes, seed, with_times);
  if (config.kind == kScenario) return make_scenario(config.scenario, device_bytes, seed, with_times);
  const GeneratorEntry* const entry = find_generator(config.kind);
  if (entry == nullptr) {
    throw InputError(
        fmt::format("workload.kind: \"{}\" is no workload; known are {}", config.kind, workload_kind_names()));
  }
  if (with_times) {
    throw InputError(
        fmt::format("workload.arrival: \"trace\" needs kind = \"trace\" or \"scenario\"; {} has no times, use closed "
                    "or poisson",
                    config.kind));
  }
  return std::make_unique<GeneratorSource>(*entry, config.generator, device_bytes, seed);
}

}  // namespace

std::vector<WorkloadKind> workload_kinds() {
  std::vector<WorkloadKind> kinds;
  for (const GeneratorEntry& entry : generators()) kinds.push_back({entry.name, entry.help});
  kinds.push_back({kScenario, "requests that come at times of their own, from a scenario file (`ftlab scenarios`)"});
  kinds.push_back({kTrace, "requests of a block trace, mapped onto the device"});
  return kinds;
}

std::string workload_kind_names() {
  std::string names;
  for (const WorkloadKind& kind : workload_kinds()) names.append(names.empty() ? "" : ", ").append(kind.name);
  return names;
}

std::unique_ptr<RequestSource> make_source(const WorkloadConfig& config, std::uint64_t device_bytes,
                                           std::uint64_t seed) {
  std::unique_ptr<RequestSource> source = make_unarrived(config, device_bytes, seed);
  if (config.arrival.kind == Arrival::poisson) {
    return std::make_unique<PoissonArrival>(std::move(source), config.arrival.mean_interarrival_s, seed);
  }
  return source;
}

std::unique_ptr<RequestSource> make_fill(const WorkloadConfig& config, std::uint64_t device_bytes, std::uint64_t seed) {
  return std::make_unique<FillSource>(config.generator, device_bytes, seed);
}

}  // namespace ftlab::workloads
