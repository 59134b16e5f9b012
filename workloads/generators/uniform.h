// Every slot equally likely at every access: no locality at all.
#pragma once

#include <memory>

#include "workloads/generators/address_pattern.h"
#include "workloads/generators/slot_set.h"
#include "workloads/workload_config.h"

namespace ftlab::workloads {

/// `slots` must outlive the pattern. Of the parameters only draw_seed matters.
std::unique_ptr<AddressPattern> make_uniform(const SlotSet& slots, const GeneratorConfig& config,
                                             std::uint64_t layout_seed, std::uint64_t draw_seed);

}  // namespace ftlab::workloads
