// Compares a mean with a published value: tolerances from one file, plus two standard errors.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "common/toml/toml_file.h"
#include "platform/measure/statistics.h"

namespace ftlab::platform {

struct Tolerance {
  bool relative = true;  ///< share of the published value; false: in the unit of the quantity
  double value = 0;
};

/// platform/reference/tolerances.toml. Throws InputError when it is missing or malformed.
class Tolerances {
 public:
  Tolerances();
  /// The first of `tables` that states one for `quantity`; nullopt = reported, not judged.
  [[nodiscard]] std::optional<Tolerance> find(std::initializer_list<std::string> tables,
                                              const std::string& quantity) const;

 private:
  spec::TomlFile file_;
};

/// A cell of reproduce.json (docs/results.md).
nlohmann::ordered_json make_cell(const std::string& quantity, std::optional<double> paper, const Sample& ours,
                                 std::optional<Tolerance> tolerance, bool relative_deviation = true,
                                 const std::string& note = {});

/// pass | fail | reported over all cells of the rows.
std::string overall_verdict(const nlohmann::ordered_json& rows);

}  // namespace ftlab::platform
