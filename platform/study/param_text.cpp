// The parameter table for people: ranges, type names, and the commented study to start from.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "common/toml/written_number.h"
#include "platform/study/params.h"

namespace ftlab::platform {
namespace {

constexpr std::string_view kShare = "1";  // as the unit table names it

std::string_view table_of(std::string_view key) {
  const std::size_t dot = key.find('.');
  return dot == std::string_view::npos ? std::string_view{} : key.substr(0, dot);
}

void append_row(std::string& out, const Param& param) {
  const std::string_view table = table_of(param.key);
  const std::string_view name = std::string_view(param.key).substr(table.empty() ? 0 : table.size() + 1);
  out += fmt::format("\n# {}\n", param.help);
  const std::string range = range_text(param);
  std::string facts = std::string(name_of(param.type));
  if (!param.unit.empty()) facts += fmt::format(" ({})", param.unit);
  if (!range.empty()) facts += ": " + range;
  if (param.type != ParamType::boolean) out += fmt::format("#   {}\n", facts);
  if (param.fallback.empty()) {
    out += fmt::format("# {} =\n", name);
  } else {
    out += fmt::format("{} = {}\n", name, param.fallback);
  }
}

}  // namespace

std::string_view name_of(ParamType type) {
  switch (type) {
    case ParamType::boolean:
      return "true/false";
    case ParamType::integer:
      return "integer";
    case ParamType::number:
      return "number";
    case ParamType::text:
      return "string";
    case ParamType::text_list:
      return "string or list";
    case ParamType::number_list:
      return "list of numbers";
    case ParamType::choice:
      return "name";
    case ParamType::path:
      return "name or path";
  }
  return "";
}

const Param* find_param(std::string_view key) {
  const auto it = std::find_if(params().begin(), params().end(), [&](const Param& p) { return p.key == key; });
  return it == params().end() ? nullptr : &*it;
}

std::string range_text(const Param& param) {
  if (param.type == ParamType::choice) return fmt::format("{}", fmt::join(param.choices, " | "));
  if (param.type != ParamType::integer && param.type != ParamType::number && param.type != ParamType::number_list) {
    return "";
  }
  if (!param.choices.empty()) {
    return fmt::format("{:g} .. {:g} | {}", param.min, param.max, fmt::join(param.choices, " | "));
  }
  constexpr double kAsGoodAsUnlimited = 1e15;
  if (param.max >= kAsGoodAsUnlimited) return fmt::format("{:g} or more", param.min);
  if (param.type == ParamType::integer) return fmt::format("{:.0f} .. {:.0f}", param.min, param.max);
  return fmt::format("{:g} .. {:g}", param.min, param.max);
}

std::string_view written_unit(const Param& param) {
  const bool fractions = param.type == ParamType::number || param.type == ParamType::number_list;
  if (param.type != ParamType::integer && !fractions) return {};
  if (!param.unit.empty()) return param.unit;
  // A list of counts has no shares.
  const bool shares = param.type == ParamType::number || (param.type == ParamType::number_list && param.max <= 1);
  return shares ? kShare : std::string_view{};
}

std::string written_example(const Param& param) {
  const std::string_view unit = written_unit(param);
  if (unit.empty()) return {};
  if (unit == kShare) return "15 %";
  const double fallback = param.fallback.empty() ? 0 : std::strtod(param.fallback.c_str(), nullptr);
  const spec::WrittenNumber value{fallback > 0 ? fallback : std::max(param.min, 1.0), unit};
  const std::vector<std::string> spellings = spec::spellings_of(unit);
  if (spellings.size() == 1) return fmt::format("{:g} {}", std::clamp(value.value, 2.0, param.max), unit);
  // The largest unit that makes the number no longer.
  std::string number = fmt::format("{:.12g}", value.value);
  std::string best = number + std::string(unit);
  double least = value.value;
  for (const std::string& name : spellings) {
    const double in_it = spec::value_in(name, value).value_or(0);
    const std::string text = fmt::format("{:.12g}", in_it);
    if (in_it < 1 || in_it >= least || text.size() > number.size()) continue;
    number = text;
    best = number + name;
    least = in_it;
  }
  return best;
}

std::string study_template() {
  std::string out =
      "# A study for `ftlab run`. Every key is shown with its default; delete what you do not change.\n"
      "# Paths are relative to this file. `ftlab run FILE --set key=value` overrides one value.\n"
      "# Numbers may be written with a unit of their kind: total_mib = \"2GiB\", spare_factor = \"15 %\".\n";
  std::string_view table;
  bool first = true;
  for (const Param& param : params()) {
    if (const std::string_view next = table_of(param.key); first || next != table) {
      // Free tables come after the top level and before the first table of parameters.
      if (!first && table.empty()) {
        for (const FreeTable& free : free_tables()) {
          out += fmt::format("\n[{}]  # {}\n# {}\n", free.name, free.help, free.example);
        }
      }
      out += next.empty() ? fmt::format("\n# {}.\n", table_help(next))
                          : fmt::format("\n[{}]  # {}\n", next, table_help(next));
      table = next;
      first = false;
    }
    append_row(out, param);
  }
  return out;
}

}  // namespace ftlab::platform
