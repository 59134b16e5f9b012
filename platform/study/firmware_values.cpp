#include "platform/study/firmware_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/input_error.h"
#include "common/toml/written_number.h"
#include "platform/study/json_pointer.h"

namespace ftlab::platform {
namespace {

constexpr std::uint32_t kMaxValue = std::numeric_limits<std::uint32_t>::max();

/// What the program reads of a number with a unit.
struct ReadUnit {
  std::string_view unit;  ///< as the unit table names it
  double times;
  std::string_view reads;
};
constexpr ReadUnit kReadUnits[] = {{"bytes", 1, "bytes"}, {"1", 1e6, "millionths"}, {"us", 1, "microseconds"}};

/// What it is made of is checked with all keys.
void check_name(std::string_view name, const std::string& where) {
  if (name.size() <= kLongestValueName) return;
  throw InputError(fmt::format("{}the name has {} characters; a program asks for one of at most {}", where, name.size(),
                               kLongestValueName));
}

std::uint32_t number_of_text(const std::string& text, const std::string& where) {
  const auto written = spec::written_number(text);
  if (!written)
    throw InputError(
        fmt::format("{}'{}' is no number; give a whole number, true or false, or a number with a unit "
                    "such as \"16KiB\", \"15 %\" or \"2 ms\"",
                    where, text));
  for (const ReadUnit& kind : kReadUnits) {
    const std::optional<double> in_unit = spec::value_in(kind.unit, *written);
    if (!in_unit) continue;
    constexpr double kRounding = 1e-9;
    const double number = *in_unit * kind.times;
    const double whole = std::round(number);
    if (std::abs(number - whole) > kRounding * std::max(1.0, whole) || whole < 0 || whole > kMaxValue)
      throw InputError(fmt::format("{}'{}' is {:.12g} {}, and the program reads a whole number from 0 to {}", where,
                                   text, number, kind.reads, kMaxValue));
    return static_cast<std::uint32_t>(whole);
  }
  throw InputError(fmt::format("{}'{}' has a unit of another kind; give a size, a share in % or a time", where, text));
}

}  // namespace

std::vector<FirmwareValue> firmware_values(const spec::TomlFile& file) {
  std::vector<FirmwareValue> values;
  for (auto& [name, text] : file.texts(kFirmwareValues)) {
    const std::string key = fmt::format("{}.{}", kFirmwareValues, name);
    FirmwareValue value{name, 0, text == "true" || text == "false", file.where(key)};
    check_name(name, value.where);
    if (value.truth)
      value.number = file.get_bool(key) ? 1 : 0;
    else if (file.holds_text(key))
      value.number = number_of_text(file.get_string(key), value.where);
    else
      value.number = static_cast<std::uint32_t>(file.get_integer(key, 0, kMaxValue));
    values.push_back(std::move(value));
  }
  return values;
}

nlohmann::ordered_json values_json(const std::vector<FirmwareValue>& values) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const FirmwareValue& value : values) {
    nlohmann::ordered_json& place = json[pointer_to(value.name)];
    if (value.truth)
      place = value.number != 0;
    else
      place = value.number;
  }
  return json;
}

}  // namespace ftlab::platform
