#include "platform/files/derived_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/input_error.h"
#include "platform/files/data_files.h"
#include "platform/files/former_part_keys.h"

namespace ftlab::platform {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBase = "base";
constexpr std::string_view kParts = "parts";

std::string toml_quoted(std::string text) {
  std::ranges::replace(text, '"', '\'');
  std::ranges::replace(text, '\\', '/');
  return '"' + text + '"';
}

std::string amount_of(const spec::TomlFile& file, const FileOverride& change) {
  const auto quantities = file.quantities();
  const auto found = std::ranges::find(quantities, change.key, &std::pair<std::string, spec::Quantity>::first);
  if (found == quantities.end()) return change.text;
  const spec::Quantity& quantity = found->second;
  return fmt::format("{:g}{}", quantity.value, quantity.unit == "1" ? "" : " " + quantity.unit);
}

/// What a file changes of its base, with the lines that say so.
std::vector<FileOverride> changes_in(const spec::TomlFile& file) {
  std::vector<FileOverride> changes;
  for (auto& [key, text] : file.texts("")) {
    if (key == kBase) continue;
    std::string origin = file.where(key);
    origin.resize(origin.size() - key.size() - 4);  // ": KEY: " comes again from the file that is changed
    changes.push_back({std::move(key), std::move(text), std::move(origin)});
  }
  return changes;
}

void name_after_file(std::vector<FileOverride>& changes, const spec::TomlFile& base, const fs::path& path) {
  const auto gives = [&changes](std::string_view key) {
    return std::ranges::find(changes, key, &FileOverride::key) != changes.end();
  };
  const bool named = gives("name");
  const bool titled = gives("title");
  if (!titled && !changes.empty() && base.has("title")) {
    spec::TomlFile whole = base.copy();
    for (const FileOverride& change : changes) whole.change(change.key, change.text, change.origin);
    std::vector<FileOverride> shown = changes;
    std::erase_if(shown, [](const FileOverride& change) { return change.key == "name"; });
    if (const std::string text = changes_text(whole, shown); !text.empty()) {
      changes.push_back({"title", toml_quoted(base.get_string("title") + ", changed: " + text), path.string()});
    }
  }
  if (!named) changes.push_back({"name", toml_quoted(path.stem().string()), path.string()});
}

DerivedFile read_chain(std::string_view kind, const fs::path& path, std::vector<fs::path>& seen) {
  spec::TomlFile file = spec::TomlFile::load(path.string());
  if (!file.has(kBase)) {
    if (kind == kParts) take_former_part_keys(file);
    return {std::move(file), {}, {}};
  }
  std::error_code ignored;
  seen.push_back(fs::weakly_canonical(path, ignored));
  const fs::path base = data_file(kind, file.get_string(kBase), path.parent_path(), file.where(kBase));
  if (std::ranges::find(seen, fs::weakly_canonical(base, ignored)) != seen.end()) {
    throw InputError(fmt::format("{}the file is based on itself; name another one", file.where(kBase)));
  }
  DerivedFile derived = read_chain(kind, base, seen);
  std::vector<FileOverride> changes = changes_in(file);
  if (kind == kParts) (void)take_former_part_keys(changes, ": ");
  name_after_file(changes, derived.whole(), path);
  std::ranges::move(changes, std::back_inserter(derived.changes));
  return derived;
}

}  // namespace

spec::TomlFile DerivedFile::whole(std::size_t left_out) const {
  spec::TomlFile file = base.copy();
  std::size_t at = 0;
  for (const FileOverride& change : changes) {
    if (at++ != left_out) file.change(change.key, change.text, change.origin);
  }
  for (const FileOverride& o : overrides) {
    if (at++ != left_out) file.set(o.key, o.text, o.origin);
  }
  return file;
}

DerivedFile read_derived(std::string_view kind, const fs::path& path) {
  std::vector<fs::path> seen;
  return read_chain(kind, path, seen);
}

spec::TomlFile load_data_file(std::string_view kind, const fs::path& path) { return read_derived(kind, path).whole(); }

std::string changes_text(const spec::TomlFile& file, const std::vector<FileOverride>& changes) {
  constexpr std::size_t kMaxNamed = 8;  // a title stays a line; the configuration lists all of them
  std::vector<std::string> items;
  items.reserve(changes.size());
  for (const FileOverride& change : changes)
    items.push_back(fmt::format("{} = {}", change.key, amount_of(file, change)));
  if (items.size() <= kMaxNamed) return fmt::format("{}", fmt::join(items, ", "));
  return fmt::format("{} and {} more", fmt::join(items.begin(), items.begin() + kMaxNamed, ", "),
                     items.size() - kMaxNamed);
}

}  // namespace ftlab::platform
