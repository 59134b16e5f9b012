// Several classes of data, each with its share of the accesses and of the slots: hot-and-cold with any number of
// temperatures. Accesses are uniform within a class; the classes are scattered at random; data in no class is never
// accessed.
#pragma once

#include <memory>

#include "workloads/generators/address_pattern.h"
#include "workloads/generators/slot_set.h"
#include "workloads/workload_config.h"

namespace ftlab::workloads {

/// Class i gets round(class_data[i] * slots.count) slots, chosen by layout_seed, and class_access[i] of the accesses,
/// drawn by draw_seed. Throws InputError when the lists differ in length, do not sum up, or a class has no slot.
std::unique_ptr<AddressPattern> make_classes(const SlotSet& slots, const GeneratorConfig& config,
                                             std::uint64_t layout_seed, std::uint64_t draw_seed);

}  // namespace ftlab::workloads
