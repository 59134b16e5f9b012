// Looks once per call: data files are opened a handful of times in a run.
#include "platform/files/data_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "common/input_error.h"
#include "common/toml/toml_file.h"

namespace ftlab::platform {
namespace {

namespace fs = std::filesystem;

struct Kind {
  std::string_view name;
  std::string_view one;        ///< for messages
  std::string_view in_source;  ///< below the source tree
};
constexpr Kind kKinds[] = {{"parts", "part", "hw/parts"},
                           {"hosts", "host", "platform/hosts"},
                           {"cores", "core", "platform/cores"},
                           {"scenarios", "scenario", "workloads/scenarios"},
                           {"firmware", "firmware", "examples/firmware"}};

const Kind& kind_of(std::string_view name) {
  const auto* it = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& k) { return k.name == name; });
  if (it == std::end(kKinds)) throw std::logic_error(fmt::format("no kind of data file is called '{}'", name));
  return *it;
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// What FTLAB_DATA_DIR names; empty when it is not set. It may hold some kinds only.
fs::path user_folder() {
  const char* given = std::getenv("FTLAB_DATA_DIR");
  if (given == nullptr || *given == '\0') return {};
  if (std::ranges::any_of(kKinds, [&](const Kind& k) { return is_folder(fs::path(given) / k.name); })) return given;
  throw InputError(
      fmt::format("FTLAB_DATA_DIR={}: has no folder parts, hosts, cores or scenarios; make one, or unset it", given));
}

/// Those there are, in the order of search.
std::vector<fs::path> folders_of(const Kind& k) {
  std::error_code ignored;
  const fs::path user = user_folder();
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = (program.parent_path().parent_path() / "share/ftlab" / k.name).lexically_normal();
  std::vector<fs::path> folders;
  if (!user.empty() && is_folder(user / k.name)) folders.push_back(user / k.name);
  if (!program.empty() && is_folder(installed)) folders.push_back(installed);
  const fs::path in_source = fs::path(FTLAB_SOURCE_DIR) / k.in_source;
  // Shipped once: the source tree of an installed program may be of another day.
  if ((folders.empty() || folders.back() != installed) && is_folder(in_source)) folders.push_back(in_source);
  if (!folders.empty()) return folders;
  throw InputError(fmt::format("no folder of {} found (looked for {}); set FTLAB_DATA_DIR to a share/ftlab folder",
                               k.name, installed.string()));
}

}  // namespace

fs::path data_folder(std::string_view kind) { return folders_of(kind_of(kind)).back(); }

std::vector<std::string> data_names(std::string_view kind) {
  std::vector<std::string> names;
  for (const fs::path& folder : folders_of(kind_of(kind))) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

fs::path data_file(std::string_view kind, const std::string& name, const fs::path& base, std::string_view where) {
  const Kind& k = kind_of(kind);
  if (name.find('/') != std::string::npos || name.ends_with(".toml")) {
    fs::path path = (base / name).lexically_normal();
    std::error_code ignored;
    if (!fs::exists(path, ignored)) throw InputError(fmt::format("{}no such file: {}", where, path.string()));
    return path;
  }
  const std::vector<std::string> names = data_names(kind);
  for (const fs::path& folder : folders_of(k)) {
    fs::path path = folder / (name + ".toml");
    std::error_code ignored;
    if (std::ranges::binary_search(names, name) && fs::exists(path, ignored)) return path;
  }
  const std::string near = spec::nearest_name(name, names);
  throw InputError(near.empty()
                       ? fmt::format("{}no {} named '{}'; known: {}", where, k.one, name, fmt::join(names, ", "))
                       : fmt::format("{}no {} named '{}'; did you mean '{}'?", where, k.one, name, near));
}

}  // namespace ftlab::platform
