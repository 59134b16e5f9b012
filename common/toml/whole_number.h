// Quantities that count. Knows no key.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "common/input_error.h"
#include "common/toml/toml_file.h"

namespace ftlab::spec {

/// As TomlFile::get_in(), of a number without fraction. Throws InputError.
inline std::uint32_t whole_number(const TomlFile& file, const std::string& key, const std::string& unit, double min,
                                  double max) {
  const double value = file.get_in(key, unit, min, max);
  if (value == std::floor(value)) return static_cast<std::uint32_t>(value);
  // What counts nothing in particular has no unit to name.
  throw InputError(file.where(key) + "must be a whole number" + (unit == "1" ? "" : " of " + unit));
}

}  // namespace ftlab::spec
