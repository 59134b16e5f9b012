// The data of a generated workload in numbers: pages, slots, requests. Checked once, then constant.
#pragma once

#include <cstdint>

#include "workloads/workload_config.h"

namespace ftlab::workloads {

struct GeneratorLayout {
  std::uint32_t page_bytes = 0;
  std::uint32_t pages = 0;           ///< U
  std::uint32_t request_bytes = 0;   ///< length of one request
  std::uint32_t pages_per_slot = 0;  ///< request_bytes rounded up to pages
  std::uint32_t slots = 0;           ///< U / pages_per_slot, rounded down; pages behind the last slot are only filled
};

/// Resolves the zeros of the config and checks every value. Throws InputError naming the key.
GeneratorLayout resolve_layout(const GeneratorConfig& config, std::uint64_t device_bytes);

}  // namespace ftlab::workloads
