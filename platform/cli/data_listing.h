// Listings of data files (parts, hosts, cores, scenarios): one line for each file, or every number of one file with its
// source. Knows only `name`, `title` and quantities, which all data files have.
#pragma once

#include <string>
#include <string_view>

#include "common/toml/toml_file.h"
#include "platform/cli/listing.h"

namespace ftlab::platform::cli {

/// All files of a kind ("parts", "hosts", "cores", "scenarios") as a table of name, title and how many numbers are
/// sourced how.
void print_data_files(std::string_view kind, Form form);

/// One file: key, value, unit, mark (estimate, fitted) and source of each number, then its lists of numbers. `name` as
/// in a study. A table says the title and where the file lies first.
void print_data_file(std::string_view kind, const std::string& name, Form form);

/// "0 0.5 1"
[[nodiscard]] std::string list_text(const spec::NumberList& list);
/// Lists of numbers of a file with their source, as a table behind that of its single numbers; nothing where it has
/// none.
void print_lists(const spec::TomlFile& file);

}  // namespace ftlab::platform::cli
