// Draws the report of a results folder by the Python package ftlab_reports. Knows how to start it, not what it draws.
#pragma once

#include <filesystem>

namespace ftlab::platform::cli {

/// A report can be drawn: FTLAB_PYTHON names an interpreter. The main study draws only then.
bool report_available();

/// Runs `$FTLAB_PYTHON -m ftlab_reports DIR` and returns its exit code. Throws InputError when DIR is no folder or
/// there is no Python environment.
int draw_report(const std::filesystem::path& dir);

}  // namespace ftlab::platform::cli
