// The table of generated workloads: name, one line of help, pattern. A new one is one file and one line here.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "workloads/generators/address_pattern.h"
#include "workloads/generators/slot_set.h"
#include "workloads/workload_config.h"

namespace ftlab::workloads {

struct GeneratorEntry {
  std::string_view name;
  std::string_view help;
  /// layout_seed fixes what belongs where (the hot set) and is the same for reads and writes; draw_seed fixes the
  /// accesses. `slots` must outlive the pattern and is not empty.
  std::unique_ptr<AddressPattern> (*make)(const SlotSet& slots, const GeneratorConfig& config,
                                          std::uint64_t layout_seed, std::uint64_t draw_seed);
};

std::span<const GeneratorEntry> generators();

/// nullptr when there is none of that name.
const GeneratorEntry* find_generator(std::string_view name);

}  // namespace ftlab::workloads
