// The table of scenario shapes: name, one line of help, and the requests. A new one is one file and one line.
//
// Promises of every shape: arrivals ascend; a file keeps its stream id and its place; requests stay inside the device;
// the same config and seed give the same list.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "workloads/request.h"
#include "workloads/scenarios/scenario_config.h"

namespace ftlab::workloads {

struct ShapeEntry {
  std::string_view name;
  std::string_view help;
  /// Throws InputError "scenario.KEY: ..." when a value does not do or the data does not fit the device.
  std::vector<Request> (*make)(const ScenarioConfig& config, std::uint64_t device_bytes, std::uint64_t seed);
};

std::span<const ShapeEntry> scenario_shapes();
/// "bursts, probes, ..." for messages.
std::string scenario_shape_names();

std::vector<Request> make_bursts(const ScenarioConfig& config, std::uint64_t device_bytes, std::uint64_t seed);
std::vector<Request> make_probes(const ScenarioConfig& config, std::uint64_t device_bytes, std::uint64_t seed);
std::vector<Request> make_windows(const ScenarioConfig& config, std::uint64_t device_bytes, std::uint64_t seed);
std::vector<Request> make_applications(const ScenarioConfig& config, std::uint64_t device_bytes, std::uint64_t seed);

}  // namespace ftlab::workloads
