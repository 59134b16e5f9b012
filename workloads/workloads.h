// The front door: kinds of workloads by name, and from a config to a stream of requests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/request.h"
#include "workloads/workload_config.h"

namespace ftlab::workloads {

struct WorkloadKind {
  std::string_view name;
  std::string_view help;
};

/// Every generator, then "scenario" and "trace".
std::vector<WorkloadKind> workload_kinds();
/// "sequential, uniform, ..." for messages.
std::string workload_kind_names();

/// The requests of the workload proper. `device_bytes` is the logical capacity offered to the host.
/// Throws InputError naming the key of [workload] whose value does not do, or the place in the trace file.
std::unique_ptr<RequestSource> make_source(const WorkloadConfig& config, std::uint64_t device_bytes,
                                           std::uint64_t seed);

/// The initial data, written before the workload: generator.pages pages in address order (for traces too; the filled
/// pages then stand for everything on the device, touched by the trace or not). Same arguments as make_source().
std::unique_ptr<RequestSource> make_fill(const WorkloadConfig& config, std::uint64_t device_bytes, std::uint64_t seed);

}  // namespace ftlab::workloads
