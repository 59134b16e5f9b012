#include "platform/files/file_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

/// A string of JSON is one of TOML, but for the one control character that only TOML wants escaped.
std::string toml_string(const ordered_json& text) {
  std::string out = text.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  for (std::size_t at = 0; (at = out.find('\x7f', at)) != std::string::npos;) out.replace(at, 1, "\\u007F");
  return out;
}

std::string inline_value(const ordered_json& value, const std::string& where) {
  if (value.is_string()) return toml_string(value);
  if (value.is_null()) throw InputError(fmt::format("{}: holds null; a number, text, list or table is needed", where));
  if (!value.is_structured()) return value.dump();
  std::string items;
  for (const auto& [name, item] : value.items()) {
    if (!items.empty()) items += ", ";
    if (value.is_object()) items += toml_string(ordered_json(name)) + " = ";
    items += inline_value(item, where);
  }
  return fmt::format(fmt::runtime(value.is_object() ? "{{ {} }}" : "[{}]"), items);
}

bool is_quantity(const ordered_json& value) { return value.contains("value") || value.contains("unit"); }

bool is_bare(const std::string& key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  });
}

void append(std::string& out, const std::string& key, const ordered_json& value, const std::string& where) {
  if (!is_bare(key)) throw InputError(fmt::format("{}: '{}' is not a key; use letters, digits, _ and -", where, key));
  if (!value.is_object() || value.empty() || is_quantity(value)) {
    out += fmt::format("{} = {}\n", key, inline_value(value, where + "." + key));
    return;
  }
  for (const auto& [name, item] : value.items()) append(out, key + "." + name, item, where);
}

}  // namespace

ordered_json document_of(const spec::TomlFile& file) { return ordered_json::parse(file.json()); }

std::string toml_text(const ordered_json& document, const std::string& where) {
  if (!document.is_object()) throw InputError(fmt::format("{}: must be a table", where));
  std::string out;
  for (const auto& [name, item] : document.items()) append(out, name, item, where);
  return out;
}

}  // namespace ftlab::platform
