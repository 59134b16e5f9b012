// Units that parameter files may use, by dimension. Knows factors; nothing of TOML or of parameters.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ftlab::spec {

struct UnitInfo {
  std::string_view name;
  std::string_view dimension;  ///< "time", "current", ...
  double factor = 1;           ///< value in this unit * factor = value in the dimension's SI unit
};

/// nullptr for a unit that is not in the table.
const UnitInfo* find_unit(std::string_view name);

/// Names of all units of a dimension, comma separated, for messages.
std::string units_of(std::string_view dimension);

/// `value` expressed in another unit; nullopt when a unit is unknown or the dimensions differ.
std::optional<double> convert(double value, std::string_view from, std::string_view to);

}  // namespace ftlab::spec
