// Typed reading and the account of keys never asked for.
#include "common/toml/toml_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/toml/toml_tree.h"
#include "common/toml/toml_united.h"
#include "common/toml/unit_table.h"

namespace ftlab::spec {
namespace {

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

/// The key of another table that is called the same, where there is just one.
std::string same_last_name(std::string_view key, const std::vector<std::string>& known) {
  const auto last = [](std::string_view of) { return of.substr(of.rfind('.') + 1); };
  const auto same = [&](const std::string& other) { return last(other) == last(key); };
  const auto found = std::ranges::find_if(known, same);
  return std::ranges::count_if(known, same) == 1 ? *found : std::string{};
}

}  // namespace

TomlFile::TomlFile(std::unique_ptr<TomlTree> tree) : tree_(std::move(tree)) {}
TomlFile::~TomlFile() = default;
TomlFile::TomlFile(TomlFile&&) noexcept = default;
TomlFile& TomlFile::operator=(TomlFile&&) noexcept = default;

// A run asks for its part some five times, each time to change and read it by itself: to parse it is most of that.
TomlFile TomlFile::load(const std::string& path) {
  struct Parsed {
    std::string text;
    TomlTree tree;
  };
  constexpr std::size_t kMaxParsed = 16;
  static thread_local std::map<std::string, Parsed> memo;
  std::string text = text_of_file(path);
  auto found = memo.find(path);
  if (found == memo.end() || found->second.text != text) {
    if (memo.size() == kMaxParsed) memo.clear();
    TomlTree tree = parse_tree(text, path);
    found = memo.insert_or_assign(path, Parsed{std::move(text), std::move(tree)}).first;
  }
  return TomlFile(std::make_unique<TomlTree>(found->second.tree));
}

TomlFile TomlFile::parse(std::string_view text, const std::string& name) {
  return TomlFile(std::make_unique<TomlTree>(parse_tree(text, name)));
}

TomlFile TomlFile::parse_unseen(std::string_view text, const std::string& name) {
  TomlFile file = parse(text, name);
  file.tree_->lines.clear();
  return file;
}

void TomlFile::set(std::string_view key, std::string_view text, std::string_view origin) {
  put_value(*tree_, key, text, origin, true);
}

void TomlFile::change(std::string_view key, std::string_view text, std::string_view origin) {
  put_value(*tree_, key, text, origin, false);
}

void TomlFile::rename(std::string_view key, std::string_view new_name) { rename_value(*tree_, key, new_name); }

TomlFile TomlFile::copy() const { return TomlFile(std::make_unique<TomlTree>(*tree_)); }

const std::string& TomlFile::path() const { return tree_->path; }

bool TomlFile::has(std::string_view key) const {
  tree_->asked.emplace(key);
  return tree_->find(key) != nullptr;
}

bool TomlFile::has_quantity(std::string_view key, std::string_view unit) const {
  make_quantity(*tree_, key, unit);
  return has(key);
}

bool TomlFile::holds_text(std::string_view key) const {
  const toml::node* node = tree_->find(key);
  return node != nullptr && node->is_string();
}

bool TomlFile::overridden(std::string_view key) const {
  const Override* o = tree_->override_of(key);
  return o != nullptr && o->of_study;
}

std::string TomlFile::get_string(std::string_view key) const {
  const toml::node& node = tree_->require(key);
  if (const auto text = node.value_exact<std::string>()) {
    tree_->refuse_control(key, *text);
    return *text;
  }
  // --set path=2024 means the word, although TOML sees a number.
  if (const auto it = tree_->overrides.find(key);
      it != tree_->overrides.end() && it->second.of_study && node.is_value())
    return it->second.text;
  tree_->fail_type(key, node, "a string in quotes");
}

bool TomlFile::get_bool(std::string_view key) const {
  const toml::node& node = tree_->require(key);
  if (const auto value = node.value_exact<bool>()) return *value;
  tree_->fail_type(key, node, "true or false");
}

std::int64_t TomlFile::get_integer(std::string_view key, std::int64_t min, std::int64_t max,
                                   const KeyUnit& unit) const {
  const toml::node& node = tree_->require(key);
  if (node.is_string() && !unit.unit.empty()) return whole_of_text(*tree_, key, node, {min, max}, unit);
  const auto value = node.value_exact<std::int64_t>();
  if (!value) tree_->fail_type(key, node, "an integer");
  if (*value < min || *value > max) {
    tree_->fail(key, max == INT64_MAX
                         ? fmt::format("{} is out of range; give an integer of at least {}", *value, min)
                         : fmt::format("{} is out of range; give an integer from {} to {}", *value, min, max));
  }
  return *value;
}

double TomlFile::get_number(std::string_view key, double min, double max, const KeyUnit& unit) const {
  const toml::node& node = tree_->require(key);
  if (node.is_string() && !unit.unit.empty()) return number_of_text(*tree_, key, node, {min, max}, unit);
  if (!node.is_number()) tree_->fail_type(key, node, "a number");
  const double value = number_of(node);
  if (!(value >= min && value <= max) || !std::isfinite(value)) {
    tree_->fail(key, fmt::format("{} is out of range; give a number {}", value, number_range_text(min, max)));
  }
  return value;
}

std::vector<std::string> TomlFile::get_strings(std::string_view key) const {
  const toml::node& node = tree_->require(key);
  if (!node.is_array()) return {get_string(key)};
  std::vector<std::string> all;
  for (const toml::node& item : *node.as_array()) {
    const auto text = item.value_exact<std::string>();
    if (!text) tree_->fail_type(key, item, "a list of strings in quotes");
    tree_->refuse_control(key, *text);
    all.push_back(*text);
  }
  return all;
}

std::vector<double> TomlFile::get_numbers(std::string_view key, double min, double max, const KeyUnit& unit) const {
  const toml::node& node = tree_->require(key);
  if (!node.is_array()) return {get_number(key, min, max, unit)};
  std::vector<double> all;
  for (const toml::node& item : *node.as_array()) {
    if (item.is_string() && !unit.unit.empty() && is_written(item)) {
      all.push_back(number_of_text(*tree_, key, item, {min, max}, unit));
      continue;
    }
    if (!item.is_number()) tree_->fail_type(key, item, "a list of numbers");
    all.push_back(number_of(item));
    if (!(all.back() >= min && all.back() <= max) || !std::isfinite(all.back())) {
      tree_->fail(key, fmt::format("{} is out of range; give numbers {}", all.back(), number_range_text(min, max)));
    }
  }
  return all;
}

Quantity TomlFile::get_quantity(std::string_view key) const { return quantity_at(*tree_, key); }

double TomlFile::get_in(std::string_view key, std::string_view base_unit, double min, double max) const {
  const Quantity quantity = get_quantity(key);
  const auto value = convert(quantity.value, quantity.unit, base_unit);
  if (!value) {
    const UnitInfo* base = find_unit(base_unit);
    if (base == nullptr) throw std::logic_error(fmt::format("unit '{}' asked for is not in the unit table", base_unit));
    tree_->fail(key, fmt::format("unit '{}' is not a unit of {}; use one of {}", quantity.unit, base->dimension,
                                 units_of(base->dimension)));
  }
  if (!(*value >= min && *value <= max)) {
    tree_->fail(key, fmt::format("{} is out of range; give a value {}", with_unit(quantity.value, quantity.unit),
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
  const toml::node* node = tree_->find(table);
  if (node == nullptr) return {};
  if (!node->is_table()) tree_->fail_type(table, *node, "a table");
  return ordered_keys(*node->as_table());
}

std::vector<std::pair<std::string, std::string>> TomlFile::texts(std::string_view table) const {
  std::vector<std::pair<std::string, std::string>> all;
  const toml::node* node = tree_->find(table);
  if (node == nullptr) return all;
  if (!node->is_table()) tree_->fail_type(table, *node, "a table");
  tree_->asked.emplace(table);
  visit_leaves(*node->as_table(), "", [&](const std::string& key, const toml::node& leaf) {
    if (leaf.is_table() && leaf.as_table()->empty()) return;
    tree_->asked.insert(join_key(table, key));
    all.emplace_back(key, full_text(leaf));
  });
  return all;
}

std::string TomlFile::where(std::string_view key) const { return tree_->where(key); }

std::vector<std::pair<std::string, Quantity>> TomlFile::quantities() const {
  std::vector<std::pair<std::string, Quantity>> all;
  visit_leaves(tree_->root, "", [&](const std::string& key, const toml::node& leaf) {
    if (!is_quantity(leaf)) return;
    const bool known = tree_->asked.contains(key);
    all.emplace_back(key, get_quantity(key));
    if (!known) tree_->asked.erase(key);  // listing is not using: finish() still reports it
  });
  return all;
}

std::vector<std::pair<std::string, NumberList>> TomlFile::lists() const {
  std::vector<std::pair<std::string, NumberList>> all;
  visit_leaves(tree_->root, "", [&](const std::string& key, const toml::node& leaf) {
    const std::size_t dot = key.rfind('.');
    if (!leaf.is_array() || dot == std::string::npos) return;
    const toml::node* source = tree_->find(key.substr(0, dot) + ".source");
    if (source == nullptr || !source->is_string()) return;
    NumberList list{{}, **source->as_string()};
    for (const toml::node& item : *leaf.as_array()) {
      if (!item.is_number()) return;
      list.values.push_back(number_of(item));
    }
    all.emplace_back(key, std::move(list));
  });
  return all;
}

std::string TomlFile::json() const { return json_of(tree_->root); }

void TomlFile::finish(std::string_view hint) const {
  visit_leaves(tree_->root, "", [&](const std::string& key, const toml::node& leaf) {
    if (tree_->asked.contains(key)) return;
    const auto next = tree_->asked.lower_bound(key + ".");
    const bool table = next != tree_->asked.end() && next->starts_with(key + ".");
    if (leaf.is_table() && table) return;  // empty: fine when its keys are known
    if (table) tree_->fail(key, fmt::format("is a table, and no value; give keys of it, such as {}", *next));
    const std::vector<std::string> known(tree_->asked.begin(), tree_->asked.end());
    const std::string same = same_last_name(key, known);
    if (!same.empty() && same.find('.') == std::string::npos)
      tree_->fail(key, fmt::format("unknown key; '{}' stands above all tables", same));
    // The right key in the wrong table is likelier than one that is only spelt alike.
    const std::string near = same.empty() ? nearest_key(key, known) : same;
    if (!near.empty()) tree_->fail(key, fmt::format("unknown key; did you mean '{}'?", near));
    tree_->fail(key, hint.empty() ? "unknown key" : fmt::format("unknown key; {}", hint));
  });
}

}  // namespace ftlab::spec
