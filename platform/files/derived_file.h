// Part, host, core and scenario files that say only what they change of another one: base = "NAME or path".
// Knows files and keys; nothing of what the values mean.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/toml/toml_file.h"

namespace ftlab::platform {

/// Another value for a part, host, core or scenario file: key and TOML text, checked by the loader of that file.
struct FileOverride {
  std::string key;
  std::string text;
  std::string origin;  ///< "study.toml:12: part_overrides" or "--set: part_overrides", for messages
};

/// A whole file, and what other files and then a study change in it, in this order.
struct DerivedFile {
  spec::TomlFile base;
  std::vector<FileOverride> changes;    ///< of the files that are based on it; `origin` is FILE:LINE
  std::vector<FileOverride> overrides;  ///< of the study

  /// All changes put in; without the one at `left_out` (counted over both lists) when there is one.
  [[nodiscard]] spec::TomlFile whole(std::size_t left_out = SIZE_MAX) const;
};

/// The file and those it is based on. A file that is based on another and gives no `name` is called as its file is; one
/// that gives no `title` has its base's with what it changes. Throws InputError.
DerivedFile read_derived(std::string_view kind, const std::filesystem::path& path);

/// The same with all changes put in.
spec::TomlFile load_data_file(std::string_view kind, const std::filesystem::path& path);

/// "key = 2 MiB, name = x" of changes in the units of the file that has them; empty for none.
std::string changes_text(const spec::TomlFile& file, const std::vector<FileOverride>& changes);

}  // namespace ftlab::platform
