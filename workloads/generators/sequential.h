// Slot after slot in address order, from the start again after the last one: the friendliest load for any cleaner.
#pragma once

#include <memory>

#include "workloads/generators/address_pattern.h"
#include "workloads/generators/slot_set.h"
#include "workloads/workload_config.h"

namespace ftlab::workloads {

/// `slots` must outlive the pattern. Config and seeds are not looked at: there is nothing to choose.
std::unique_ptr<AddressPattern> make_sequential(const SlotSet& slots, const GeneratorConfig& config,
                                                std::uint64_t layout_seed, std::uint64_t draw_seed);

}  // namespace ftlab::workloads
