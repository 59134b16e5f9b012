// Rosenblum's hot-and-cold load: a share x of the accesses falls uniformly on a hot set of a share y of the slots, the
// rest uniformly on the others. The hot set is scattered at random unless the study says otherwise: a contiguous one
// fills whole segments with hot data by itself and makes a cleaner look better than it is (greedy cleaning at 90/10:
// about 6 % fewer erasures).
#pragma once

#include <memory>

#include "workloads/generators/address_pattern.h"
#include "workloads/generators/slot_set.h"
#include "workloads/workload_config.h"

namespace ftlab::workloads {

/// Hot set = round(hot_data * slots.count) slots, chosen by layout_seed or the first ones; accesses are drawn by
/// draw_seed. Throws InputError when the hot set or its complement is empty but gets accesses.
std::unique_ptr<AddressPattern> make_hot_cold(const SlotSet& slots, const GeneratorConfig& config,
                                              std::uint64_t layout_seed, std::uint64_t draw_seed);

}  // namespace ftlab::workloads
