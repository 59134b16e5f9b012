// Numbers with unit and source: { value = ..., unit = "...", source = "..." }.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "common/toml/toml_tree.h"
#include "common/toml/unit_table.h"

namespace ftlab::spec {
namespace {

constexpr std::array<std::string_view, 5> kQuantityFields = {"value", "unit", "source", "estimate", "fitted"};

/// The first one in the file; empty when there is none.
std::string unknown_field(const toml::table& quantity) {
  const auto known = [](std::string_view name) {
    return std::ranges::find(kQuantityFields, name) != kQuantityFields.end();
  };
  if (std::ranges::all_of(quantity, [&](const auto& entry) { return known(entry.first.str()); })) return {};
  const std::vector<std::string> names = ordered_keys(quantity);
  return *std::ranges::find_if_not(names, known);
}

}  // namespace

Quantity quantity_at(const TomlTree& tree, std::string_view key) {
  const toml::node& node = tree.require(key);
  if (!is_quantity(node)) {
    tree.fail_type(key, node, "a number with unit and source: { value = ..., unit = \"...\", source = \"...\" }");
  }
  const toml::table& table = *node.as_table();
  const auto text_of = [&](const char* name) {
    const auto text = table[name].value_exact<std::string>();
    if (!text || text->empty()) tree.fail(key, fmt::format("needs {} = \"...\", a string", name));
    tree.refuse_control(key, *text);
    return *text;
  };
  const auto flag_of = [&](const char* name) {
    if (!table.contains(name)) return false;
    if (const auto flag = table[name].value_exact<bool>()) return *flag;
    tree.fail(key, fmt::format("{} must be true or false", name));
  };
  if (const std::string name = unknown_field(table); !name.empty()) {
    const std::string near = nearest_name(name, {kQuantityFields.begin(), kQuantityFields.end()});
    tree.fail(key, near.empty() ? fmt::format("unknown field '{}'; known: value, unit, source, estimate, fitted", name)
                                : fmt::format("unknown field '{}'; did you mean '{}'?", name, near));
  }
  Quantity quantity;
  if (!table["value"].is_number()) tree.fail(key, "needs value = ..., a number");
  quantity.value = number_of(*table.get("value"));
  if (!std::isfinite(quantity.value)) tree.fail(key, "value must be a finite number");
  quantity.unit = text_of("unit");
  quantity.source = text_of("source");
  quantity.estimate = flag_of("estimate");
  quantity.fitted = flag_of("fitted");
  if (find_unit(quantity.unit) == nullptr) tree.fail(key, fmt::format("unknown unit '{}'", quantity.unit));
  return quantity;
}

}  // namespace ftlab::spec
