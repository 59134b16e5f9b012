// Factors between units of one kind are whole numbers or one over such: multiplying or dividing by these rounds once.
#include "common/toml/written_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "common/toml/unit_table.h"

namespace ftlab::spec {
namespace {

constexpr std::string_view kPlain = "1";
constexpr std::string_view kCounts = "count";

struct Halves {
  std::string_view above;
  std::string_view below;  ///< empty: one unit
};

Halves halves_of(std::string_view unit) {
  const std::size_t slash = unit.find('/');
  if (slash == std::string_view::npos) return {unit, {}};
  return {unit.substr(0, slash), unit.substr(slash + 1)};
}

/// Of the unit of a key: what stands in the unit table is one.
Halves halves_of_key(std::string_view unit) { return find_unit(unit) != nullptr ? Halves{unit, {}} : halves_of(unit); }

/// Of one unit, not of two.
std::vector<std::string> simple_spellings(std::string_view unit) {
  if (unit == kPlain) return {"%"};
  const UnitInfo* info = find_unit(unit);
  if (info == nullptr || info->dimension == kCounts) return {std::string(unit)};
  std::vector<std::string> names;
  const std::string all = units_of(info->dimension);
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find(", ", at), all.size());
    names.push_back(all.substr(at, end - at));
    at = end + 2;
  }
  return names;
}

bool is_spelling(std::string_view unit, std::string_view wanted) {
  for (const std::string& name : simple_spellings(wanted)) {
    if (name == unit) return true;
  }
  return false;
}

/// Of whole numbers.
struct Factor {
  double times = 1;
  double over = 1;
};

Factor factor_of(std::string_view unit, std::string_view wanted) {
  const UnitInfo* from = find_unit(unit);
  const UnitInfo* to = find_unit(wanted);
  if (unit == wanted || from == nullptr || to == nullptr) return {};
  const double ratio = from->factor / to->factor;
  return ratio >= 1 ? Factor{std::round(ratio), 1} : Factor{1, std::round(to->factor / from->factor)};
}

/// nullopt when `unit` is no spelling of the other.
std::optional<Factor> factor_between(std::string_view unit, std::string_view wanted) {
  const Halves to = halves_of_key(wanted);
  const Halves from = to.below.empty() ? Halves{unit, {}} : halves_of(unit);
  if (!is_spelling(from.above, to.above)) return std::nullopt;
  const Factor above = factor_of(from.above, to.above);
  if (to.below.empty()) return above;
  if (!is_spelling(from.below, to.below)) return std::nullopt;
  const Factor below = factor_of(from.below, to.below);
  return Factor{above.times * below.over, above.over * below.times};
}

}  // namespace

std::optional<WrittenNumber> written_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  WrittenNumber number;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
  if (error != std::errc{} || !std::isfinite(number.value)) return std::nullopt;
  std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  while (rest.ends_with(' ')) rest.remove_suffix(1);
  if (rest.empty()) return std::nullopt;
  number.unit = rest;
  return number;
}

std::vector<std::string> spellings_of(std::string_view unit) {
  const Halves halves = halves_of_key(unit);
  std::vector<std::string> above = simple_spellings(halves.above);
  if (halves.below.empty()) return above;
  std::vector<std::string> all;
  for (const std::string& below : simple_spellings(halves.below)) {
    for (const std::string& name : above) all.push_back(name + "/" + below);
  }
  return all;
}

std::optional<double> value_in(std::string_view wanted, const WrittenNumber& number) {
  const std::optional<Factor> factor = factor_between(number.unit, wanted);
  if (!factor) return std::nullopt;
  return number.value * factor->times / factor->over;
}

std::string factor_text(std::string_view spelling, std::string_view wanted) {
  const std::optional<Factor> factor = factor_between(spelling, wanted);
  if (!factor) throw std::logic_error(fmt::format("'{}' is no spelling of '{}'", spelling, wanted));
  return factor->over == 1 ? fmt::format("{:.0f}", factor->times)
                           : fmt::format("{:.0f}/{:.0f}", factor->times, factor->over);
}

}  // namespace ftlab::spec
