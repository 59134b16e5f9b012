// Loading, typed reading and the account of keys never asked for.
#include "common/toml/toml_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/toml/toml_tree.h"
#include "common/toml/unit_table.h"

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

/// Every leaf (value, list, quantity) with its dotted key, in file order.
template <class Visit>
void visit_leaves(const toml::table& table, const std::string& prefix, Visit&& visit) {
  for (const std::string& name : ordered_keys(table)) {
    const toml::node& node = *table.get(name);
    const std::string key = join_key(prefix, name);
    if (node.is_table() && !node.as_table()->empty() && !is_quantity(node)) {
      visit_leaves(*node.as_table(), key, visit);
    } else {
      visit(key, node);
    }
  }
}

std::string range_text(double min, double max) {
  if (!std::isfinite(max)) return fmt::format("at least {}", min);
  return fmt::format("from {} to {}", min, max);
}

/// The unit of plain numbers is not said.
std::string with_unit(double value, std::string_view unit) {
  constexpr std::string_view kPlain = "1";
  // Fewer digits than a double has: a range converted to another unit is not shown with its rounding.
  return unit == kPlain ? fmt::format("{:.12g}", value) : fmt::format("{:.12g} {}", value, unit);
}

/// A range of `base_unit` in the unit that the reader uses.
std::string range_in(std::string_view unit, std::string_view base_unit, double min, double max) {
  const double least = convert(min, base_unit, unit).value_or(min);
  const double most = convert(max, base_unit, unit).value_or(max);
  if (!std::isfinite(most)) return fmt::format("at least {}", with_unit(least, unit));
  return fmt::format("from {:.6g} to {}", least, with_unit(most, unit));
}

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

/// The nearest double: the library converts no integer that a double cannot hold exactly.
double number_of(const toml::node& node) {
  const auto integer = node.value_exact<std::int64_t>();
  return integer ? static_cast<double>(*integer) : node.value_exact<double>().value_or(0);
}

}  // namespace

TomlFile::TomlFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TomlFile::~TomlFile() = default;
TomlFile::TomlFile(TomlFile&&) noexcept = default;
TomlFile& TomlFile::operator=(TomlFile&&) noexcept = default;

TomlFile TomlFile::load(const std::string& path) {
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
  return parse(text, path);
}

TomlFile TomlFile::parse(std::string_view text, const std::string& name) {
  auto impl = std::make_unique<Impl>();
  impl->path = name;
  try {
    impl->root = toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    const auto at = error.source().begin;
    throw InputError(
        fmt::format("{}:{}: not valid TOML (column {}): {}", name, at.line, at.column, error.description()));
  }
  check_names(impl->root, name);
  note_lines(impl->root, "", impl->lines);
  return TomlFile(std::move(impl));
}

TomlFile TomlFile::parse_unseen(std::string_view text, const std::string& name) {
  TomlFile file = parse(text, name);
  file.impl_->lines.clear();
  return file;
}

TomlFile TomlFile::copy() const { return TomlFile(std::make_unique<Impl>(*impl_)); }

const std::string& TomlFile::path() const { return impl_->path; }

bool TomlFile::has(std::string_view key) const {
  impl_->asked.emplace(key);
  return impl_->find(key) != nullptr;
}

bool TomlFile::holds_text(std::string_view key) const {
  const toml::node* node = impl_->find(key);
  return node != nullptr && node->is_string();
}

bool TomlFile::overridden(std::string_view key) const {
  const Override* o = impl_->override_of(key);
  return o != nullptr && o->of_study;
}

std::string TomlFile::get_string(std::string_view key) const {
  const toml::node& node = impl_->require(key);
  if (const auto text = node.value_exact<std::string>()) return *text;
  // --set path=2024 means the word, although TOML sees a number.
  if (const auto it = impl_->overrides.find(key);
      it != impl_->overrides.end() && it->second.of_study && node.is_value())
    return it->second.text;
  impl_->fail_type(key, node, "a string in quotes");
}

bool TomlFile::get_bool(std::string_view key) const {
  const toml::node& node = impl_->require(key);
  if (const auto value = node.value_exact<bool>()) return *value;
  impl_->fail_type(key, node, "true or false");
}

std::int64_t TomlFile::get_integer(std::string_view key, std::int64_t min, std::int64_t max) const {
  const toml::node& node = impl_->require(key);
  const auto value = node.value_exact<std::int64_t>();
  if (!value) impl_->fail_type(key, node, "an integer");
  if (*value < min || *value > max) {
    impl_->fail(key, max == INT64_MAX
                         ? fmt::format("{} is out of range; give an integer of at least {}", *value, min)
                         : fmt::format("{} is out of range; give an integer from {} to {}", *value, min, max));
  }
  return *value;
}

double TomlFile::get_number(std::string_view key, double min, double max) const {
  const toml::node& node = impl_->require(key);
  if (!node.is_number()) impl_->fail_type(key, node, "a number");
  const double value = number_of(node);
  if (!(value >= min && value <= max) || !std::isfinite(value)) {
    impl_->fail(key, fmt::format("{} is out of range; give a number {}", value, range_text(min, max)));
  }
  return value;
}

std::vector<std::string> TomlFile::get_strings(std::string_view key) const {
  const toml::node& node = impl_->require(key);
  if (!node.is_array()) return {get_string(key)};
  std::vector<std::string> all;
  for (const toml::node& item : *node.as_array()) {
    const auto text = item.value_exact<std::string>();
    if (!text) impl_->fail_type(key, item, "a list of strings in quotes");
    all.push_back(*text);
  }
  return all;
}

std::vector<double> TomlFile::get_numbers(std::string_view key, double min, double max) const {
  const toml::node& node = impl_->require(key);
  if (!node.is_array()) return {get_number(key, min, max)};
  std::vector<double> all;
  for (const toml::node& item : *node.as_array()) {
    if (!item.is_number()) impl_->fail_type(key, item, "a list of numbers");
    all.push_back(number_of(item));
    if (!(all.back() >= min && all.back() <= max) || !std::isfinite(all.back())) {
      impl_->fail(key, fmt::format("{} is out of range; give numbers {}", all.back(), range_text(min, max)));
    }
  }
  return all;
}

Quantity TomlFile::get_quantity(std::string_view key) const {
  const toml::node& node = impl_->require(key);
  if (!is_quantity(node)) {
    impl_->fail_type(key, node, "a number with unit and source: { value = ..., unit = \"...\", source = \"...\" }");
  }
  const toml::table& table = *node.as_table();
  const auto text_of = [&](const char* name) {
    const auto text = table[name].value_exact<std::string>();
    if (!text || text->empty()) impl_->fail(key, fmt::format("needs {} = \"...\", a string", name));
    return *text;
  };
  const auto flag_of = [&](const char* name) {
    if (!table.contains(name)) return false;
    if (const auto flag = table[name].value_exact<bool>()) return *flag;
    impl_->fail(key, fmt::format("{} must be true or false", name));
  };
  if (const std::string name = unknown_field(table); !name.empty()) {
    const std::string near = nearest_name(name, {kQuantityFields.begin(), kQuantityFields.end()});
    impl_->fail(key, near.empty()
                         ? fmt::format("unknown field '{}'; known: value, unit, source, estimate, fitted", name)
                         : fmt::format("unknown field '{}'; did you mean '{}'?", name, near));
  }
  Quantity quantity;
  if (!table["value"].is_number()) impl_->fail(key, "needs value = ..., a number");
  quantity.value = number_of(*table.get("value"));
  if (!std::isfinite(quantity.value)) impl_->fail(key, "value must be a finite number");
  quantity.unit = text_of("unit");
  quantity.source = text_of("source");
  quantity.estimate = flag_of("estimate");
  quantity.fitted = flag_of("fitted");
  if (find_unit(quantity.unit) == nullptr) impl_->fail(key, fmt::format("unknown unit '{}'", quantity.unit));
  return quantity;
}

double TomlFile::get_in(std::string_view key, std::string_view base_unit, double min, double max) const {
  const Quantity quantity = get_quantity(key);
  const auto value = convert(quantity.value, quantity.unit, base_unit);
  if (!value) {
    const UnitInfo* base = find_unit(base_unit);
    if (base == nullptr) throw std::logic_error(fmt::format("unit '{}' asked for is not in the unit table", base_unit));
    impl_->fail(key, fmt::format("unit '{}' is not a unit of {}; use one of {}", quantity.unit, base->dimension,
                                 units_of(base->dimension)));
  }
  if (!(*value >= min && *value <= max)) {
    impl_->fail(key, fmt::format("{} is out of range; give a value {}", with_unit(quantity.value, quantity.unit),
                                 range_in(quantity.unit, base_unit, min, max)));
  }
  return *value;
}

Ticks TomlFile::get_time(std::string_view key) const {
  // Ten years leaves headroom below the end of simulated time for sums of such values.
  constexpr double kLongestNs = 3.2e17;
  return ticks_from_ns(get_in(key, "ns", 0, kLongestNs));
}

std::vector<std::string> TomlFile::keys(std::string_view table) const {
  const toml::node* node = impl_->find(table);
  if (node == nullptr) return {};
  if (!node->is_table()) impl_->fail_type(table, *node, "a table");
  return ordered_keys(*node->as_table());
}

std::vector<std::pair<std::string, std::string>> TomlFile::texts(std::string_view table) const {
  std::vector<std::pair<std::string, std::string>> all;
  const toml::node* node = impl_->find(table);
  if (node == nullptr) return all;
  if (!node->is_table()) impl_->fail_type(table, *node, "a table");
  impl_->asked.emplace(table);
  visit_leaves(*node->as_table(), "", [&](const std::string& key, const toml::node& leaf) {
    if (leaf.is_table() && leaf.as_table()->empty()) return;
    impl_->asked.insert(join_key(table, key));
    all.emplace_back(key, full_text(leaf));
  });
  return all;
}

std::string TomlFile::where(std::string_view key) const { return impl_->where(key); }

std::vector<std::pair<std::string, Quantity>> TomlFile::quantities() const {
  std::vector<std::pair<std::string, Quantity>> all;
  visit_leaves(impl_->root, "", [&](const std::string& key, const toml::node& leaf) {
    if (!is_quantity(leaf)) return;
    const bool known = impl_->asked.contains(key);
    all.emplace_back(key, get_quantity(key));
    if (!known) impl_->asked.erase(key);  // listing is not using: finish() still reports it
  });
  return all;
}

void TomlFile::finish() const {
  visit_leaves(impl_->root, "", [&](const std::string& key, const toml::node& leaf) {
    if (impl_->asked.contains(key)) return;
    if (leaf.is_table()) {  // empty: fine when its keys are known
      const auto next = impl_->asked.lower_bound(key + ".");
      if (next != impl_->asked.end() && next->starts_with(key + ".")) return;
    }
    const std::vector<std::string> known(impl_->asked.begin(), impl_->asked.end());
    std::string near = nearest_name(key, known);
    if (near.empty()) near = nearest_last_name(key, known);
    impl_->fail(key, near.empty() ? "unknown key" : fmt::format("unknown key; did you mean {}?", near));
  });
}

}  // namespace ftlab::spec
