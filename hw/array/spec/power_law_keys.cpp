#include "hw/array/spec/power_law_keys.h"

#include <string>

#include "common/input_error.h"
#include "common/toml/toml_file.h"

namespace ftlab::hw {
namespace {

/// A rate more than one bit in two is none.
ErrorPowerLaw read_coefficients(const spec::TomlFile& part) {
  const auto number = [&part](const char* name, double most) {
    return part.get_in(std::string("errors.power_law.") + name, "1", 0, most);
  };
  ErrorPowerLaw law;
  law.epsilon = number("epsilon", 0.5);
  law.alpha = number("alpha", 1);
  law.k = number("k", 10);
  law.beta = number("beta", 1);
  law.m = number("m", 10);
  law.n = number("n", 10);
  law.gamma = number("gamma", 1);
  law.p = number("p", 10);
  law.q = number("q", 10);
  return law;
}

void refuse_parametric_rates(const spec::TomlFile& part, const ArrayErrors& errors) {
  const std::pair<const char*, bool> kRates[] = {{"errors.base", errors.base > 0},
                                                 {"errors.wear", errors.wear > 0},
                                                 {"errors.retention_time", errors.retention_time > Ticks::zero()},
                                                 {"errors.disturb", errors.disturb > 0}};
  for (const auto& [key, given] : kRates) {
    if (!given) continue;
    throw InputError(
        part.where(key) +
        "is of errors.model = \"parametric\"; set it to 0, or change the coefficients in errors.power_law");
  }
}

}  // namespace

void read_power_law(const spec::TomlFile& part, ArrayErrors& errors) {
  const bool given = !part.keys("errors.power_law").empty();
  if (given) errors.power_law = read_coefficients(part);
  if (part.has_quantity("errors.activation_energy", "eV")) {
    errors.activation_ev = part.get_in("errors.activation_energy", "eV", 0, 3);
    errors.reference_c = part.get_in("errors.reference_temperature", "degC", -40, 125);
  }
  if (!part.has("errors.model")) return;
  const std::string model = part.get_string("errors.model");
  if (model == "parametric") return;
  if (model != "power_law")
    throw InputError(part.where("errors.model") + "'" + model + "' is none of parametric, power_law");
  if (!given)
    throw InputError(part.where("errors.model") +
                     "needs the nine coefficients of [errors.power_law]; give them, or base the part on one that has "
                     "them");
  refuse_parametric_rates(part, errors);
  errors.model = ErrorLaw::power_law;
}

}  // namespace ftlab::hw
