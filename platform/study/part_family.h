// A family of parts as one row: all that studies have to know of it, so that none of them asks for its name. Model and
// driver of a family are a file in platform/machine/families.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "common/toml/toml_file.h"
#include "platform/study/params.h"
#include "platform/study/part_kind.h"

namespace ftlab::platform {

struct PartFamily {
  std::string_view name;  ///< `family` in its part files
  // Keys that only its parts know; null: none.
  void (*keys)(const PartFamily& family, std::vector<Param>& rows) = nullptr;         ///< of the top level
  void (*driver_keys)(const PartFamily& family, std::vector<Param>& rows) = nullptr;  ///< of [driver]
  /// What is known before anything is simulated. Throws InputError for numbers that no part has; null: nothing is.
  void (*measure)(const spec::TomlFile& part, PartKind& kind) = nullptr;
  bool array = false;           ///< behind a controller of its own, with dies that work side by side
  bool of_new_studies = false;  ///< the part that a study has unless it names one is of it
};

extern const PartFamily kOneNandFamily;
extern const PartFamily kCardFamily;
extern const PartFamily kArrayFamily;

/// In the order of their keys.
std::span<const PartFamily* const> part_families();
/// Null: there is none of that name.
const PartFamily* find_part_family(std::string_view name);

}  // namespace ftlab::platform
