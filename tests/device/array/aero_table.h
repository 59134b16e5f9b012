// Erases in steps as AERO has measured them, on the small array of the tests.
#pragma once

#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {

/// Those keys of the part that ships the table, and `more`.
inline ArrayOverrides aero_table(const ArrayOverrides& more = {}) {
  const auto part = spec::TomlFile::load(std::string(FTLAB_PART_DIR) + "/array-tlc-72l.toml");
  ArrayOverrides all{{"timing.erase", "3.5 ms"}, {"endurance.erase_growth", "0"}};
  for (const auto& [key, text] : part.texts("erase_steps")) all.emplace_back("erase_steps." + key, text);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace ftlab::hw::testing
