#include "platform/laboratory/reproduce/unpublished_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/units.h"
#include "platform/files/scenario_file.h"
#include "platform/files/study_files.h"
#include "platform/study/params.h"

namespace ftlab::platform {
namespace {

constexpr const char* kVariation = "variation";
constexpr double kFactors[] = {0.8, 1.2};

std::string amount_text(double number, const std::string& unit) {
  return fmt::format("{:.4g}{}{}", number, unit.empty() || unit == "1" ? "" : " ", unit == "1" ? "" : unit);
}

/// What a number is with 20 % less and more, as far as the key's range allows.
std::vector<double> changed(const Param& param, double used) {
  std::vector<double> numbers;
  for (const double factor : kFactors) {
    double number = used * factor;
    if (param.type == ParamType::integer) number = factor < 1 ? std::floor(number) : std::ceil(number);
    if (number != used && number >= param.min && number <= param.max) numbers.push_back(number);
  }
  return numbers;
}

UnpublishedParameter value_of(const Param& param, const Study& base) {
  UnpublishedParameter value{param.key, {}, {}};
  const auto add = [&](const std::string& shown, const std::string& toml) {
    value.variants.push_back({shown, {{param.key, toml, kVariation}}});
  };
  const ParamValue used = param.read(base);
  if (const bool* flag = std::get_if<bool>(&used)) {
    value.used = *flag ? "true" : "false";
    add(*flag ? "false" : "true", *flag ? "false" : "true");
  } else if (const auto* name = std::get_if<std::string>(&used)) {
    value.used = *name;
    for (const std::string& choice : param.choices) {
      if (choice != *name) add(choice, choice);
    }
  } else {
    const auto* whole = std::get_if<std::uint64_t>(&used);
    const double number = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(used);
    value.used = amount_text(number, param.unit);
    for (const double other : changed(param, number)) add(amount_text(other, param.unit), fmt::format("{}", other));
  }
  return value;
}

/// Counts and bytes stay whole, and so do pages where there are several.
double scaled(const spec::Quantity& quantity, double factor) {
  const double number = quantity.value * factor;
  if (quantity.unit == "1" || quantity.unit == "B") return std::round(number);
  const double unit = quantity.unit == "MiB" ? kMiB : quantity.unit == "KiB" ? kKiB : 0;
  if (unit == 0) return number;
  const double page_bytes = workloads::ScenarioConfig{}.page_bytes;
  const double pages = quantity.value * unit / page_bytes;
  const double fewer_or_more = std::round(pages * factor);
  return pages == std::round(pages) && fewer_or_more != pages ? fewer_or_more * page_bytes / unit
                                                              : std::round(number * unit) / unit;
}

ParameterVariant variant_of(const std::string& table, const std::string& key, const spec::Quantity& quantity,
                            double factor) {
  const double number = scaled(quantity, factor);
  return {amount_text(number, quantity.unit),
          {{table + "." + key, fmt::format("\"{} {}\"", number, quantity.unit), kVariation}}};
}

/// Judged and fitted quantities below a table of a data file; all of it when `below` is empty.
std::vector<UnpublishedParameter> judged_values(const spec::TomlFile& file, std::string_view what,
                                                std::string_view below) {
  std::vector<UnpublishedParameter> values;
  for (const auto& [key, quantity] : file.quantities()) {
    if (!quantity.estimate && !quantity.fitted) continue;
    if (!below.empty() && !key.starts_with(fmt::format("{}.", below))) continue;
    UnpublishedParameter value{fmt::format("{} {}", what, key), amount_text(quantity.value, quantity.unit), {}};
    for (const double factor : kFactors) {
      value.variants.push_back(variant_of(fmt::format("{}_overrides", what), key, quantity, factor));
    }
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace

std::vector<UnpublishedParameter> unpublished_keys(const Study& base, std::string_view table) {
  std::vector<UnpublishedParameter> values;
  for (const Param& param : params()) {
    if (!param.unpublished || !param.key.starts_with(fmt::format("{}.", table))) continue;
    UnpublishedParameter value = value_of(param, base);
    if (!value.variants.empty()) values.push_back(std::move(value));
  }
  return values;
}

std::vector<UnpublishedParameter> host_values(const Study& base) { return judged_values(open_host(base), "host", {}); }

std::vector<UnpublishedParameter> part_values(const Study& base, std::string_view table) {
  return judged_values(open_part(base), "part", table);
}

std::vector<UnpublishedParameter> scenario_values(const Study& base) {
  const spec::TomlFile file = open_scenario(base);
  const std::vector<std::string> unpublished = unpublished_parameters(file);
  std::vector<UnpublishedParameter> values;
  for (const auto& [key, quantity] : file.quantities()) {
    const bool is_unpublished = std::ranges::find(unpublished, key) != unpublished.end();
    if (!is_unpublished && !quantity.estimate && !quantity.fitted) continue;
    const std::string name = "scenario " + (is_unpublished ? key.substr(key.rfind('.') + 1) : key);
    const auto same = std::ranges::find(values, name, &UnpublishedParameter::name);
    if (same == values.end()) {
      values.push_back({name, amount_text(quantity.value, quantity.unit), {}});
      for (const double factor : kFactors) {
        values.back().variants.push_back(variant_of("scenario_overrides", key, quantity, factor));
      }
      continue;
    }
    same->used = "as given";
    for (std::size_t i = 0; i < std::size(kFactors); ++i) {
      ParameterVariant& variant = same->variants[i];
      variant.text = fmt::format("{:+.0f} %", 100 * (kFactors[i] - 1));
      variant.settings.push_back(variant_of("scenario_overrides", key, quantity, kFactors[i]).settings.front());
    }
  }
  return values;
}

std::vector<UnpublishedParameter> joined(std::vector<std::vector<UnpublishedParameter>> lists) {
  std::vector<UnpublishedParameter> all;
  for (std::vector<UnpublishedParameter>& list : lists) std::ranges::move(list, std::back_inserter(all));
  return all;
}

}  // namespace ftlab::platform
