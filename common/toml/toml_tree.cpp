// Walking and naming: how a dotted key finds its node and how a node is described in a message.
#include "common/toml/toml_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace ftlab::spec {

bool plain_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::vector<std::string_view> split_key(std::string_view key) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t dot = key.find('.');
    const std::string_view part = key.substr(0, dot);
    if (!plain_name(part)) return {};
    parts.push_back(part);
    if (dot == std::string_view::npos) return parts;
    key.remove_prefix(dot + 1);
  }
}

std::string join_key(std::string_view table, std::string_view name) {
  return table.empty() ? std::string(name) : fmt::format("{}.{}", table, name);
}

bool is_quantity(const toml::node& node) {
  const toml::table* table = node.as_table();
  return table != nullptr && (table->contains("value") || table->contains("unit"));
}

std::string_view type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return is_quantity(node) ? "a number with unit" : "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a floating-point number";
    case toml::node_type::boolean:
      return "true/false";
    default:
      return "a date or time";
  }
}

std::string full_text(const toml::node& node) {
  std::ostringstream out;
  // One line: indentation and multi-line strings would break "one clear line" messages and overrides.
  node.visit([&out](const auto& concrete) {
    out << toml::toml_formatter(concrete,
                                toml::format_flags::quote_dates_and_times | toml::format_flags::allow_literal_strings);
  });
  return one_line(out.str());
}

std::string excerpt(const toml::node& node) {
  if (node.is_table()) return {};
  constexpr std::size_t kLongest = 40;
  std::string text = full_text(node);
  if (text.size() > kLongest) text = text.substr(0, kLongest - 3) + "...";
  return text;
}

std::vector<std::string> ordered_keys(const toml::table& table) {
  std::vector<std::pair<toml::source_position, std::string>> found;
  for (const auto& [key, node] : table) {
    toml::source_position at = key.source().begin;
    if (!at) at = {static_cast<toml::source_index>(-1), 0};
    found.emplace_back(at, std::string(key.str()));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  names.reserve(found.size());
  for (auto& [at, name] : found) names.push_back(std::move(name));
  return names;
}

double number_of(const toml::node& node) {
  const auto integer = node.value_exact<std::int64_t>();
  return integer ? static_cast<double>(*integer) : node.value_exact<double>().value_or(0);
}

const toml::node* TomlTree::find(std::string_view key) const {
  const toml::node* node = &root;
  // Names in the tree are plain, so a key that is not a row of such names finds nothing.
  while (node != nullptr && !key.empty()) {
    const std::size_t dot = key.find('.');
    const toml::table* table = node->as_table();
    node = table == nullptr || dot + 1 == key.size() ? nullptr : table->get(key.substr(0, dot));
    key = dot == std::string_view::npos ? std::string_view{} : key.substr(dot + 1);
  }
  return node;
}

const toml::node& TomlTree::require(std::string_view key) const {
  asked.emplace(key);
  const toml::node* node = find(key);
  if (node == nullptr) fail(key, "missing; add this key");
  return *node;
}

const Override* TomlTree::override_of(std::string_view key) const {
  while (!key.empty()) {
    if (const auto it = overrides.find(key); it != overrides.end()) return &it->second;
    const std::size_t dot = key.rfind('.');
    key = dot == std::string_view::npos ? std::string_view{} : key.substr(0, dot);
  }
  return nullptr;
}

std::string TomlTree::where(std::string_view key) const {
  if (const Override* o = override_of(key)) return fmt::format("{}: {}: ", o->origin, key);
  // A missing key is reported at the table it belongs to.
  for (std::string_view at = key; !at.empty();) {
    if (const auto line = lines.find(at); line != lines.end())
      return fmt::format("{}:{}: {}: ", path, line->second, key);
    const std::size_t dot = at.rfind('.');
    at = dot == std::string_view::npos ? std::string_view{} : at.substr(0, dot);
  }
  return key.empty() ? fmt::format("{}: ", path) : fmt::format("{}: {}: ", path, key);
}

void TomlTree::fail(std::string_view key, std::string_view problem) const {
  throw InputError(where(key) + std::string(problem));
}

void TomlTree::refuse_control(std::string_view key, std::string_view text) const {
  if (has_control(text)) fail(key, "holds control characters; leave them out");
}

void TomlTree::fail_type(std::string_view key, const toml::node& node, std::string_view wanted) const {
  const std::string text = excerpt(node);
  fail(key, text.empty() ? fmt::format("must be {}, not {}", wanted, type_name(node))
                         : fmt::format("must be {}, not {} ({})", wanted, type_name(node), text));
}

}  // namespace ftlab::spec
