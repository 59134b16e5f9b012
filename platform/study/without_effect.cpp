#include "platform/study/without_effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

std::string plain_text(const ParamValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* name = std::get_if<std::string>(&value)) return *name;
  if (const auto* numbers = std::get_if<std::vector<double>>(&value)) return numbers->empty() ? "[]" : "[N, ...]";
  if (const auto* number = std::get_if<double>(&value)) return *number > 0 ? "N" : "0";
  if (const auto* whole = std::get_if<std::uint64_t>(&value)) return *whole > 0 ? "N" : "0";
  throw std::logic_error("a condition on a key that is neither a name, true/false, a number nor a list of them");
}

bool is_among(std::string_view values, std::string_view value) {
  return fmt::format("|{}|", values).find(fmt::format("|{}|", value)) != std::string::npos;
}

bool is_asked(const Condition& condition, const Study& study) {
  return condition.firmware.empty() || is_among(condition.firmware, study.ftl.firmware);
}

bool holds(const Condition& condition, const Study& study) {
  if (!is_asked(condition, study)) return true;
  if (std::ranges::any_of(condition.others, [&](const Condition& other) { return holds(other, study); })) return true;
  const Param* param = find_param(condition.key);
  if (param == nullptr) throw std::logic_error("a condition on a key that does not exist: " + condition.key);
  return is_among(condition.values, plain_text(param->read(study)));
}

/// As a study would say it: KEY = "a", "b" or "c".
std::string text_of(const Condition& condition) {
  const ParamType type = find_param(condition.key)->type;
  const bool quoted = type != ParamType::boolean && type != ParamType::integer && type != ParamType::number &&
                      type != ParamType::number_list;
  std::string text;
  std::size_t at = 0;
  while (at <= condition.values.size()) {
    const std::size_t end = std::min(condition.values.find('|', at), condition.values.size());
    const std::string value = condition.values.substr(at, end - at);
    if (!text.empty()) text += end == condition.values.size() ? " or " : ", ";
    text += quoted ? "\"" + value + "\"" : value;
    at = end + 1;
  }
  text = condition.key + " = " + text;
  for (const Condition& other : condition.others) text += ", or " + text_of(other);
  return text;
}

}  // namespace

const Condition* broken_condition(const Param& param, const Study& study) {
  for (const Condition& condition : param.counts_with) {
    if (!holds(condition, study)) return &condition;
  }
  return nullptr;
}

std::vector<std::string> without_effect(const Study& study, const std::vector<const Param*>& given) {
  std::vector<std::string> lines;
  for (const Param* param : given) {
    if (is_default(*param, study) || broken_condition(*param, study) == nullptr) continue;
    std::string with;
    for (const Condition& condition : param->counts_with)
      if (is_asked(condition, study)) with += (with.empty() ? "" : " and ") + text_of(condition);
    lines.push_back(fmt::format("{}has no effect in this study; it counts with {}", study.where_of(param->key), with));
  }
  return lines;
}

void refuse_other_families(const Study& study, std::string_view family) {
  for (const Param& param : params()) {
    if (param.family.empty() || param.family == family || is_default(param, study)) continue;
    throw InputError(fmt::format("{}is for parts of the family {}, and this part is of {}; leave it out",
                                 study.where_of(param.key), param.family, family));
  }
}

}  // namespace ftlab::platform
