// Commands that the Python package ftlab answers (reports/). Knows how to start it, not what it does.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ftlab::platform::cli {

/// `$FTLAB_PYTHON -m ftlab COMMAND ARGUMENT...` takes this process's place, so that signals reach it; it finds this
/// program by FTLAB_PROGRAM. Throws InputError when there is no Python environment; `typed` is then what the user can
/// say again, where it is not "ftlab COMMAND".
[[noreturn]] void become_python(const std::string& command, const std::vector<std::string>& arguments,
                                const std::string& typed = {});

/// Throws InputError when DIR is no folder.
void require_folder(const std::filesystem::path& dir);

}  // namespace ftlab::platform::cli
