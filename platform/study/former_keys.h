// Keys and firmwares by the names that they had: answered, with a line that says the name of now.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/toml/toml_file.h"

namespace ftlab::platform {

/// The key that had the name; none when it is no key's.
std::optional<std::string> key_formerly(std::string_view name);

/// "WHERE is called KEY now", where WHERE ends in ": ".
std::string renamed_line(std::string_view where, std::string_view key);

/// Gives the values of a study their keys of now: a line each. Throws InputError for a key that is there by both names.
std::vector<std::string> take_former_keys(spec::TomlFile& file);

/// The same of the configuration of a result, which has the keys of all firmwares: those of its own count.
void take_former_keys_of_result(spec::TomlFile& file);

/// Gives the firmware its name of now; the line, where it had another.
std::optional<std::string> take_former_firmware(spec::TomlFile& file);

}  // namespace ftlab::platform
