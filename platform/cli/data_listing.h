// Listings of data files (parts, hosts, cores, scenarios): one line for each file, or every number of one file with its
// source. Knows only `name`, `title` and quantities, which all data files have.
#pragma once

#include <string>
#include <string_view>

#include "platform/cli/listing.h"

namespace ftlab::platform::cli {

/// All files of a kind ("parts", "hosts", "cores", "scenarios") as a table of name, title and how many numbers are
/// sourced how.
void print_data_files(std::string_view kind, Form form);

/// One file: key, value, unit, mark (estimate, fitted) and source of each number. `name` as in a study. A table says
/// the title and where the file lies first.
void print_data_file(std::string_view kind, const std::string& name, Form form);

}  // namespace ftlab::platform::cli
