// The traced device shrinks, or grows, to the size of the simulated one: order stays, and where it shrinks neighbours
// fall on one page, so that a long write rewrites the same page. Devices of the trace fall on top of each other.
#pragma once

#include <memory>

#include "workloads/traces/mapping/address_map.h"

namespace ftlab::workloads {

/// Throws InputError without the size of the traced device.
std::unique_ptr<AddressMap> make_scaled(const TraceConfig& config, std::uint64_t device_bytes, std::uint64_t seed);

}  // namespace ftlab::workloads
