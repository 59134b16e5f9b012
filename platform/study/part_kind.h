// What a study knows of its part before anything is simulated: the family and the size. What is wrong with a part file
// its loader says.
#pragma once

#include <cstdint>
#include <string>

#include "common/toml/toml_file.h"
#include "platform/study/study.h"

namespace ftlab::platform {

struct PartKind {
  std::string family;                ///< empty: the file cannot be read
  bool array = false;                ///< a NAND array (PartFamily::array)
  bool linked = false;               ///< a drive: a link lies between it and the host
  std::uint32_t dies = 0;            ///< of an array; 0: of another part, or its file cannot be read
  std::uint32_t segments = 0;        ///< of all its dies; the same
  std::uint32_t pages_at_once = 1;   ///< of an array, its pages that one program takes
  std::uint32_t page_bytes = 0;      ///< of a NAND part; 0: of another one, or its file cannot be read
  bool drive = false;                ///< an array behind the link of a whole drive
  std::uint32_t data_ram_pages = 0;  ///< of an array that keeps bytes; 0: of another one
  std::uint32_t min_unit_bytes = 0;  ///< the same: the smallest part of a page that can be mapped
};

/// Of study.part with study.part_overrides.
[[nodiscard]] PartKind kind_of_part(const Study& study);
/// Of a part file with its overrides; throws InputError for numbers that no part has.
[[nodiscard]] PartKind kind_of(const spec::TomlFile& part);

}  // namespace ftlab::platform
