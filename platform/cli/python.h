// Commands that the Python package ftlab answers (reports/). Knows how to start it, not what it does.
#pragma once

#include <string>
#include <vector>

namespace ftlab::platform::cli {

/// `PYTHON -m ftlab COMMAND ARGUMENT...` takes this process's place, so that signals reach it; it finds this program by
/// FTLAB_PROGRAM. PYTHON is what FTLAB_PYTHON names, else python3; the package is the one that belongs to this program.
/// Throws InputError when there is no such Python.
[[noreturn]] void become_python(const std::string& command, const std::vector<std::string>& arguments);

/// Hints show the program as it was typed, so that they work where the user stands. The first call counts.
void remember_typed(const char* program);
std::string typed_program();

}  // namespace ftlab::platform::cli
