// Keys of part files by the names that they had.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/toml/toml_file.h"
#include "platform/files/derived_file.h"

namespace ftlab::platform {

/// Gives the values of a whole part file, as a user or an old result has it, their keys of now.
void take_former_part_keys(spec::TomlFile& part);

/// The same of what a study or a derived file changes in its part: a line for each, `behind` between the change's
/// origin and its key. Throws InputError for a key that is there by both names, and for `endurance.median` without the
/// rated cycles that it is a multiple of now.
std::vector<std::string> take_former_part_keys(std::vector<FileOverride>& changes, std::string_view behind = ".");

}  // namespace ftlab::platform
