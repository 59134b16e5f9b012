// Packs the touched pages of a trace densely, in the order of first touch: how often and when each page is written
// stays exactly as in the trace; which pages are neighbours changes. Pages of different traced devices stay different
// pages.
#pragma once

#include <memory>

#include "workloads/traces/mapping/address_map.h"

namespace ftlab::workloads {

/// First touched page on page 0, and so on: pages first used together lie together.
std::unique_ptr<AddressMap> make_compact(const TraceConfig& config, std::uint64_t device_bytes, std::uint64_t seed);

/// The same, each place then moved by a random permutation of the device's pages (4 bytes of memory each), so that no
/// segment of a filled device is made of touched pages alone.
std::unique_ptr<AddressMap> make_compact_scattered(const TraceConfig& config, std::uint64_t device_bytes,
                                                   std::uint64_t seed);

}  // namespace ftlab::workloads
