// The tree as JSON, in the order of the file.
#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "common/toml/toml_tree.h"

namespace ftlab::spec {

std::string json_of(const toml::node& node) {
  if (const toml::table* table = node.as_table()) {
    std::string text;
    // Names are plain: they need no escapes.
    for (const std::string& name : ordered_keys(*table))
      text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", name, json_of(*table->get(name)));
    return "{" + text + "}";
  }
  if (const toml::array* list = node.as_array()) {
    std::string text;
    for (const toml::node& item : *list) text += (text.empty() ? "" : ",") + json_of(item);
    return "[" + text + "]";
  }
  if (const auto number = node.value_exact<double>(); number && !std::isfinite(*number)) return "null";
  if (const auto integer = node.value_exact<std::int64_t>()) return fmt::format("{}", *integer);
  std::ostringstream out;
  node.visit([&out](const auto& concrete) {
    out << toml::json_formatter(concrete, toml::format_flags::quote_dates_and_times);
  });
  return out.str();
}

}  // namespace ftlab::spec
