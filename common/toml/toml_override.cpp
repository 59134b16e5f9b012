// Overrides: a value given as text replaces or adds a node before anyone reads it.
// Knows nothing of which keys exist: a misspelt one is found by finish(), under its own origin.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "common/toml/toml_tree.h"
#include "common/toml/unit_table.h"
#include "common/toml/written_number.h"

namespace ftlab::spec {
namespace {

/// The text as a TOML value in a one-entry table; bare words become strings.
toml::table parse_value(std::string_view text, const std::string& prefix) {
  if (text.find_first_of("\r\n") == std::string_view::npos) {
    // Of values only tables have keys.
    if (text.find('{') != std::string_view::npos) refuse_deep_keys(text, [&prefix](std::uint32_t) { return prefix; });
    try {
      toml::table parsed = toml::parse(fmt::format("v = {}\n", text));
      if (parsed.size() == 1 && parsed.contains("v")) return parsed;
    } catch (const toml::parse_error& error) {
      if (!text.empty() && std::string_view("[{\"'").find(text.front()) != std::string_view::npos) {
        throw InputError(fmt::format("{}not a TOML value: {}", prefix, error.description()));
      }
    }
  }
  return toml::table{{"v", std::string(text)}};
}

/// "0.8 s" -> {0.8, "s"}.
bool number_with_unit(std::string_view text, double& value, std::string& unit) {
  const std::optional<WrittenNumber> written = written_number(text);
  if (!written) return false;
  value = written->value;
  unit = written->unit;
  return find_unit(unit) != nullptr;
}

/// A new number in an old quantity: unit stays, provenance becomes the origin of the override.
bool merge_into_quantity(toml::table& quantity, const toml::node& given, std::string_view origin) {
  double value = 0;
  std::string unit = quantity["unit"].value_or(std::string{});
  if (const auto number = given.value_exact<double>()) {
    value = *number;
  } else if (const auto integer = given.value_exact<std::int64_t>()) {
    value = static_cast<double>(*integer);
  } else if (const auto text = given.value_exact<std::string>(); !text || !number_with_unit(*text, value, unit)) {
    return false;
  }
  quantity.insert_or_assign("value", value);
  quantity.insert_or_assign("unit", unit);
  quantity.insert_or_assign("source", std::string(origin));
  quantity.erase("estimate");
  quantity.erase("fitted");
  return true;
}

std::string_view last_of(std::string_view key) { return key.substr(key.rfind('.') + 1); }

/// That the key stands in, made where it is not there.
toml::table& table_of(TomlTree& tree, std::string_view key) {
  toml::table* table = &tree.root;
  for (std::size_t dot = key.find('.'); dot != std::string_view::npos; dot = key.find('.')) {
    table = table->emplace(key.substr(0, dot), toml::table{}).first->second.as_table();
    key.remove_prefix(dot + 1);
  }
  return *table;
}

}  // namespace

void put_value(TomlTree& tree, std::string_view key, std::string_view text, std::string_view origin, bool of_study) {
  const std::string prefix = fmt::format("{}: {}: ", origin, key);
  const std::vector<std::string_view> parts = split_key(key);
  if (parts.empty()) throw InputError(fmt::format("{}: '{}' is not a key; write table.key=value", origin, key));
  refuse_deep_keys(key, [origin](std::uint32_t) { return fmt::format("{}: ", origin); });
  toml::table* table = &tree.root;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    toml::node* next = table->get(parts[i]);
    if (next == nullptr) next = &table->insert_or_assign(parts[i], toml::table{}).first->second;
    table = next->as_table();
    if (table == nullptr) throw InputError(fmt::format("{}'{}' is a value, not a table", prefix, parts[i]));
  }
  const toml::table parsed = parse_value(text, prefix);
  const toml::node& given = *parsed.get("v");
  toml::node* old = table->get(parts.back());
  if (old != nullptr && is_quantity(*old) && !given.is_table()) {
    if (!merge_into_quantity(*old->as_table(), given, origin)) {
      const toml::node_view<toml::node> unit = (*old->as_table())["unit"];
      if (unit.value_or(std::string{}) == "1") throw InputError(prefix + "must be a number");
      throw InputError(fmt::format("{}must be a number in {}, or a number with unit such as \"1.5 {}\"", prefix,
                                   unit.value_or(std::string("its unit")), unit.value_or(std::string("s"))));
    }
  } else if (old != nullptr && old->is_table() && !is_quantity(*old)) {
    throw InputError(fmt::format("{}is a table; name one of its keys ({}.KEY=VALUE)", prefix, key));
  } else {
    table->insert_or_assign(parts.back(), given);
  }
  tree.overrides.insert_or_assign(std::string(key), Override{std::string(origin), std::string(text), of_study});
}

void make_quantity(TomlTree& tree, std::string_view key, std::string_view unit) {
  const toml::node* given = tree.find(key);
  const Override* from = tree.override_of(key);
  if (given == nullptr || from == nullptr || given->is_table()) return;
  toml::table quantity{{"unit", std::string(unit)}};
  if (merge_into_quantity(quantity, *given, from->origin)) table_of(tree, key).insert_or_assign(last_of(key), quantity);
}

void rename_value(TomlTree& tree, std::string_view key, std::string_view new_name) {
  const toml::node* found = tree.find(key);
  if (found == nullptr) throw std::logic_error(fmt::format("'{}' cannot be renamed: it is not there", key));
  table_of(tree, new_name).insert_or_assign(last_of(new_name), *found);
  table_of(tree, key).erase(last_of(key));
  if (const auto line = tree.lines.find(key); line != tree.lines.end()) {
    tree.lines.insert_or_assign(std::string(new_name), line->second);
    tree.lines.erase(line);
  }
}

}  // namespace ftlab::spec
