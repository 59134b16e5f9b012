// Commands that the Python package ftlab answers (reports/). Knows how to start it, not what it does.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ftlab::platform::cli {

/// FTLAB_PYTHON names an interpreter. The main study draws only then.
bool has_python();

/// `$FTLAB_PYTHON -m ftlab COMMAND ARGUMENT...` takes this process's place, so that signals reach it; it finds this
/// program by FTLAB_PROGRAM. Throws InputError when there is no Python environment.
[[noreturn]] void become_python(const std::string& command, const std::vector<std::string>& arguments);

/// Throws InputError when DIR is no folder.
void require_folder(const std::filesystem::path& dir);

/// Draws the report of a results folder in a child process and returns its exit code.
int draw_report(const std::filesystem::path& dir);

}  // namespace ftlab::platform::cli
