// Commands that the Python package ftlab answers (reports/). Knows how to start it, not what it does.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ftlab::platform::cli {

/// FTLAB_PYTHON names an interpreter. The main study draws only then.
bool has_python();

/// Runs `$FTLAB_PYTHON -m ftlab COMMAND ARGUMENT...` and returns its exit code. Throws InputError when there is no
/// Python environment.
int run_python(const std::string& command, const std::vector<std::string>& arguments);

/// The report of a results folder. Throws InputError when DIR is no folder.
int draw_report(const std::filesystem::path& dir);

}  // namespace ftlab::platform::cli
