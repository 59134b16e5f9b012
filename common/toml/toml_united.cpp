#include "common/toml/toml_united.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "common/toml/written_number.h"

namespace ftlab::spec {
namespace {

std::string unit_name(const KeyUnit& unit) { return unit.unit == "1" ? "a share" : std::string(unit.unit); }

/// Where there are few, all of them.
std::string spellings_text(const KeyUnit& unit) {
  constexpr std::size_t kFew = 8;
  const std::vector<std::string> all = spellings_of(unit.unit);
  return all.size() < 2 || all.size() > kFew ? "" : fmt::format("; units are {}", fmt::join(all, ", "));
}

double in_unit(const TomlTree& tree, std::string_view key, const toml::node& node, std::string_view wanted,
               const KeyUnit& unit) {
  const std::string text = node.value_exact<std::string>().value_or(std::string{});
  const auto written = written_number(text);
  if (!written) tree.fail_type(key, node, fmt::format("{}, or one with unit such as \"{}\"", wanted, unit.example));
  if (const auto value = value_in(unit.unit, *written)) return *value;
  tree.fail(key, fmt::format("wants {}, not {}; give for example \"{}\"{}", unit_name(unit), excerpt(node),
                             unit.example, spellings_text(unit)));
}

/// Only said where the value is written in another unit than the range.
std::string meaning(double value, const KeyUnit& unit) {
  return unit.unit == "1" ? fmt::format("{:.12g}", value) : fmt::format("{:.12g} {}", value, unit.unit);
}

}  // namespace

std::int64_t whole_of_text(const TomlTree& tree, std::string_view key, const toml::node& text,
                           const Bounds<std::int64_t>& bounds, const KeyUnit& unit) {
  const double value = in_unit(tree, key, text, "an integer", unit);
  // Compared as doubles: what is beyond 64 bits is beyond the range, too.
  if (!(value >= static_cast<double>(bounds.min) && value <= static_cast<double>(bounds.max))) {
    tree.fail(key, fmt::format("{} is {}, out of range; give {} from {} to {}", excerpt(text), meaning(value, unit),
                               unit.unit, bounds.min, bounds.max));
  }
  if (value != std::floor(value)) {
    tree.fail(key, fmt::format("{} is {}; give a whole number of {}, such as {:.0f} or {:.0f}", excerpt(text),
                               meaning(value, unit), unit.unit, std::floor(value), std::ceil(value)));
  }
  return static_cast<std::int64_t>(value);
}

double number_of_text(const TomlTree& tree, std::string_view key, const toml::node& text, const Bounds<double>& bounds,
                      const KeyUnit& unit) {
  const double value = in_unit(tree, key, text, "a number", unit);
  if (!(value >= bounds.min && value <= bounds.max) || !std::isfinite(value)) {
    tree.fail(key, fmt::format("{} is {}, out of range; give {} {}", excerpt(text), meaning(value, unit),
                               unit_name(unit), number_range_text(bounds.min, bounds.max)));
  }
  return value;
}

bool is_written(const toml::node& text) {
  return written_number(text.value_exact<std::string>().value_or(std::string{})).has_value();
}

std::string number_range_text(double min, double max) {
  if (!std::isfinite(max)) return fmt::format("at least {}", min);
  return fmt::format("from {} to {}", min, max);
}

}  // namespace ftlab::spec
