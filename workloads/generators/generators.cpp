#include "workloads/generators/generators.h"

#include <algorithm>

#include "workloads/generators/classes.h"
#include "workloads/generators/hot_cold.h"
#include "workloads/generators/sequential.h"
#include "workloads/generators/uniform.h"

namespace ftlab::workloads {
namespace {

constexpr GeneratorEntry kGenerators[] = {
    {"sequential", "page after page in address order, again from the start", make_sequential},
    {"uniform", "every page equally likely", make_uniform},
    {"hot_cold", "hot_access of the accesses go to hot_data of the pages (hot_place)", make_hot_cold},
    {"classes", "several classes of data, each with its share of the accesses (class_access, class_data)",
     make_classes},
};

}  // namespace

std::span<const GeneratorEntry> generators() { return kGenerators; }

const GeneratorEntry* find_generator(std::string_view name) {
  const auto* const found = std::ranges::find(kGenerators, name, &GeneratorEntry::name);
  return found == std::end(kGenerators) ? nullptr : found;
}

}  // namespace ftlab::workloads
