// The text of a TOML file, and a first look at what kind of file it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ftlab::spec {

/// The content of a file of sensible size. Throws InputError.
std::string text_of_file(const std::string& path);

/// Names of the keys and tables at the top; empty when the text is no TOML, or has keys of too many parts.
std::vector<std::string> top_names(std::string_view text);

}  // namespace ftlab::spec
