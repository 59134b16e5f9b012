#include "workloads/scenarios/scenario_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/input_error.h"
#include "workloads/scenarios/shapes.h"

namespace ftlab::workloads {
namespace {

constexpr ShapeEntry kShapes[] = {
    {"bursts", "files in bursts at a fixed period, part of each rewritten, until a share of the capacity is used",
     make_bursts},
    {"probes", "rounds of bulk data, then single writes after random pauses", make_probes},
    {"windows", "a given volume in each time window, whole files written over and over", make_windows},
    {"applications", "programs with small requests in sessions beside programs that write whole files",
     make_applications},
};

}  // namespace

std::span<const ShapeEntry> scenario_shapes() { return kShapes; }

std::string scenario_shape_names() {
  std::string names;
  for (const ShapeEntry& entry : kShapes) names.append(names.empty() ? "" : ", ").append(entry.name);
  return names;
}

std::size_t ScenarioSource::next(std::span<Request> batch) {
  const std::size_t n = std::min(batch.size(), requests_.size() - next_);
  std::copy_n(requests_.begin() + static_cast<std::ptrdiff_t>(next_), n, batch.begin());
  next_ += n;
  return n;
}

std::unique_ptr<RequestSource> make_scenario(const ScenarioConfig& config, std::uint64_t device_bytes,
                                             std::uint64_t seed, bool timed) {
  const auto* const entry = std::ranges::find(kShapes, config.shape, &ShapeEntry::name);
  if (entry == std::end(kShapes)) {
    throw InputError(
        fmt::format("scenario.shape: \"{}\" is no shape; known are {}", config.shape, scenario_shape_names()));
  }
  std::vector<Request> requests = entry->make(config, device_bytes, seed);
  if (!timed) {
    for (Request& request : requests) request.arrival = request.think = Ticks{};
  }
  return std::make_unique<ScenarioSource>(std::move(requests));
}

}  // namespace ftlab::workloads
