// Addresses wrap at the last whole page of the device: runs stay runs, but pages that lie a multiple of the device
// apart become one page, so that more is rewritten than in the trace. Devices of the trace fall on top of each other.
#pragma once

#include <memory>

#include "workloads/traces/mapping/address_map.h"

namespace ftlab::workloads {

std::unique_ptr<AddressMap> make_modulo(const TraceConfig& config, std::uint64_t device_bytes, std::uint64_t seed);

}  // namespace ftlab::workloads
