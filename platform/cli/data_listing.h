// Listings of data files (parts, hosts, scenarios): one line for each file, or every number of one file with its
// source. Knows only `name`, `title` and quantities, which all data files have.
#pragma once

#include <string>
#include <string_view>

namespace ftlab::platform::cli {

/// All files of a kind ("parts", "hosts", "scenarios") as a table of name, title and how many numbers are sourced how.
void print_data_files(std::string_view kind);

/// One file: key, value, unit, mark (estimate, fitted) and source of each number. `name` as in a study.
void print_data_file(std::string_view kind, const std::string& name);

}  // namespace ftlab::platform::cli
