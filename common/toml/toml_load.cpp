// Loading: from a file's bytes to a tree of plain names that knows its lines.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "common/toml/toml_tree.h"

namespace ftlab::spec {
namespace {

constexpr std::uintmax_t kLargestFile = 4 * 1024 * 1024;

void check_names(const toml::table& table, const std::string& path) {
  for (const auto& [key, node] : table) {
    if (!plain_name(key.str())) {
      throw InputError(fmt::format("{}:{}: '{}' is not a key; use letters, digits, _ and -", path,
                                   key.source().begin.line, key.str().substr(0, 40)));
    }
    if (const toml::table* inner = node.as_table()) check_names(*inner, path);
  }
}

void note_lines(const toml::table& table, const std::string& prefix,
                std::map<std::string, std::uint32_t, std::less<>>& lines) {
  for (const auto& [key, node] : table) {
    const std::string full = join_key(prefix, key.str());
    if (node.source().begin) lines.emplace(full, node.source().begin.line);
    if (const toml::table* inner = node.as_table()) note_lines(*inner, full, lines);
  }
}

/// The place behind the string that begins at `at`; the end of its line, or of the text, when nothing closes it.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
  const bool lines = text.substr(at).starts_with(triple);
  const std::string_view close = lines ? triple : triple.substr(0, 1);
  for (at += close.size(); at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text.substr(at).starts_with(close)) {
      return at + close.size();
    } else if (!lines && text[at] == '\n') {
      return at;
    }
  }
  return text.size();
}

}  // namespace

void refuse_deep_keys(std::string_view text, const std::function<std::string(std::uint32_t)>& where) {
  std::uint32_t line = 1;
  std::size_t dots = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      // A string is one part of a key, or a value, which no dot joins to a key.
      const std::size_t end = end_of_string(text, at);
      line += static_cast<std::uint32_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                                    text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      at = end - 1;
    } else if (c == '#') {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else if (c == '.') {
      if (++dots < kDeepestKey) continue;
      throw InputError(
          fmt::format("{}a key of more than {} parts; use names with fewer dots", where(line), kDeepestKey));
    } else if (c != ' ' && c != '\t' && !plain_name({&c, 1})) {
      dots = 0;
      if (c == '\n') ++line;
    }
  }
}

std::string text_of_file(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError(fmt::format("{}: no such file", path));
  if (std::filesystem::is_directory(status)) throw InputError(fmt::format("{}: is a directory, not a TOML file", path));
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(fmt::format("{}: cannot be opened; check its permissions", path));
  std::string text;
  char block[65536];
  while (in.read(block, sizeof block), in.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
    if (text.size() > kLargestFile) throw InputError(fmt::format("{}: larger than 4 MiB; not a parameter file", path));
  }
  if (in.bad()) throw InputError(fmt::format("{}: cannot be read to its end", path));
  return text;
}

std::vector<std::string> top_names(std::string_view text) {
  try {
    refuse_deep_keys(text, [](std::uint32_t) { return std::string(); });
    return ordered_keys(toml::parse(text));
  } catch (const InputError&) {
    return {};
  } catch (const toml::parse_error&) {
    return {};
  }
}

TomlTree parse_tree(std::string_view text, const std::string& name) {
  TomlTree tree;
  tree.path = name;
  refuse_deep_keys(text, [&name](std::uint32_t line) { return fmt::format("{}:{}: ", name, line); });
  try {
    tree.root = toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    const auto at = error.source().begin;
    const std::string unquoted = unquoted_value(text, at.line);
    if (!unquoted.empty()) throw InputError(fmt::format("{}:{}: {}", name, at.line, unquoted));
    throw InputError(
        fmt::format("{}:{}: not valid TOML (column {}): {}", name, at.line, at.column, error.description()));
  }
  check_names(tree.root, name);
  note_lines(tree.root, "", tree.lines);
  return tree;
}

}  // namespace ftlab::spec
