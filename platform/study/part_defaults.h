// Defaults that the part decides, and what to say of keys that mean something else on it than their user may think.
// Knows of a part its family and how many dies and segments it has; what is wrong with a part file its loader says.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/toml/toml_file.h"
#include "platform/study/params.h"

namespace ftlab::platform {

struct PartKind {
  std::string family;          ///< empty: the file cannot be read
  std::uint32_t dies = 0;      ///< of an array; 0: of another part, or its file cannot be read
  std::uint32_t segments = 0;  ///< of all its dies; the same
  std::uint32_t page_bytes = 0;
};

/// Of study.part with study.part_overrides.
[[nodiscard]] PartKind kind_of_part(const Study& study);
/// Of a part file with its overrides; throws InputError for numbers that no part has.
[[nodiscard]] PartKind kind_of(const spec::TomlFile& part);

/// The study gives the key.
using Given = std::function<bool(std::string_view key)>;

/// An array has the page-mapped firmware.
void choose_firmware(Study& study, const PartKind& part, const Given& given);
/// Of an array with that firmware: enough requests in flight for all dies, and as much written as brings it to rest.
void choose_load(Study& study, const PartKind& part, const Given& given);

/// One line each: on other parts than cards keys of other families that are given with their defaults, so that nothing
/// refuses them; a total that overwrites take the place of; a window of one segment; dies that were made more or fewer
/// by themselves.
[[nodiscard]] std::vector<std::string> remarks(const Study& study, const PartKind& part, const Given& given);

}  // namespace ftlab::platform
