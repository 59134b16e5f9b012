// Addresses as they are in the trace: exact locality, for traces of one device no larger than the simulated one.
#pragma once

#include <memory>

#include "workloads/traces/mapping/address_map.h"

namespace ftlab::workloads {

std::unique_ptr<AddressMap> make_direct(const TraceConfig& config, std::uint64_t device_bytes, std::uint64_t seed);

}  // namespace ftlab::workloads
