// Where parts, hosts, cores and scenarios are found, and how a name in a study becomes a file.
// Knows folders and file names; nothing of what the files hold.
//
// Order of search: $FTLAB_DATA_DIR/KIND, then what ships: PROGRAM/../share/ftlab/KIND (installed), else the source
// tree. A user's file of the name of a shipped one comes first.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab::platform {

/// The folder that ships of a kind of data: "parts", "hosts", "cores" or "scenarios", or "firmware", a project to start
/// from. Throws InputError when there is none.
std::filesystem::path data_folder(std::string_view kind);

/// Names (file names without .toml) in all folders, sorted, each once.
std::vector<std::string> data_names(std::string_view kind);

/// A path when `name` contains a slash or ends in ".toml" (relative to `base`), else a name in the data folder.
/// Throws InputError "WHERE no part named ..., did you mean ...?"; `where` is "FILE:LINE: KEY: ".
std::filesystem::path data_file(std::string_view kind, const std::string& name, const std::filesystem::path& base,
                                std::string_view where);

}  // namespace ftlab::platform
