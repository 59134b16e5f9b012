// Inside of TomlFile, for this folder only, because it drags in the TOML library: the parsed tree, where values came
// from, which keys were asked for. Invariant: every key in the tree is a plain name
// ([A-Za-z0-9_-]+), so that a dotted key is never ambiguous.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "common/toml/toml_text.h"

namespace ftlab::spec {

struct Override {
  std::string origin;  ///< stands for FILE:LINE in messages
  std::string text;    ///< as the user wrote it
  bool of_study;       ///< a study's, not a file's
};

struct TomlTree {
  std::string path;
  /// Of every table and value that the text gave: the tree itself forgets its places when it is copied.
  std::map<std::string, std::uint32_t, std::less<>> lines;
  toml::table root;
  std::map<std::string, Override, std::less<>> overrides;
  mutable std::set<std::string, std::less<>> asked;

  /// nullptr when absent. An empty key is the root table.
  [[nodiscard]] const toml::node* find(std::string_view key) const;
  /// Marks the key as asked for; throws when absent.
  const toml::node& require(std::string_view key) const;
  /// The override that set this key or the table around it; nullptr when it came from the file.
  [[nodiscard]] const Override* override_of(std::string_view key) const;
  [[nodiscard]] std::string where(std::string_view key) const;
  [[noreturn]] void fail(std::string_view key, std::string_view problem) const;
  /// Texts are shown on terminals.
  void refuse_control(std::string_view key, std::string_view text) const;
  [[noreturn]] void fail_type(std::string_view key, const toml::node& node, std::string_view wanted) const;
};

/// Loads. Throws InputError with the line of what is no TOML or no plain name.
TomlTree parse_tree(std::string_view text, const std::string& name);
/// Throws InputError when a key of the text has more parts than kDeepestKey: each is a table in a table, and the
/// library takes a place on the stack for each. `where` gives the start of the message for a line.
void refuse_deep_keys(std::string_view text, const std::function<std::string(std::uint32_t)>& where);
inline constexpr std::size_t kDeepestKey = 16;
/// "KEY: VALUE ...": what a value without its quotes wants, when the line, which is no TOML, has one; else empty.
std::string unquoted_value(std::string_view text, std::uint32_t line);

/// Overrides: replaces or adds a value before it is read, as TomlFile::set() and change() say.
void put_value(TomlTree& tree, std::string_view key, std::string_view text, std::string_view origin, bool of_study);

/// As TomlFile::has_quantity() says.
void make_quantity(TomlTree& tree, std::string_view key, std::string_view unit);

/// Moves a value that is there to another name.
void rename_value(TomlTree& tree, std::string_view key, std::string_view new_name);

/// A table that describes a number, with all its fields checked.
Quantity quantity_at(const TomlTree& tree, std::string_view key);
/// The nearest double: the library converts no integer that a double cannot hold exactly.
double number_of(const toml::node& node);

/// In the order of the file.
std::string json_of(const toml::node& node);

/// Splits at dots. Empty result: not a usable key.
std::vector<std::string_view> split_key(std::string_view key);
bool plain_name(std::string_view name);
/// A table that describes one number: has `value`, or `unit`.
bool is_quantity(const toml::node& node);
std::string_view type_name(const toml::node& node);
/// The node as one line of TOML, shortened for messages.
std::string excerpt(const toml::node& node);
std::string full_text(const toml::node& node);
/// Names below a table in the order of the file; keys that have no position come last.
std::vector<std::string> ordered_keys(const toml::table& table);
std::string join_key(std::string_view table, std::string_view name);

}  // namespace ftlab::spec
