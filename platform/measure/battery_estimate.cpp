#include "platform/measure/battery_estimate.h"

#include <fmt/format.h>

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

constexpr double kMib = 1024.0 * 1024.0;
constexpr double kJoulesPerWh = 3600.0;

double mib_written(const ordered_json& result) { return result.at("host").at("bytes_written").get<double>() / kMib; }

ordered_json scaled(const ordered_json& energies, double factor) {
  ordered_json json = ordered_json::object();
  for (const auto& [name, joules] : energies.items()) json[name] = joules.get<double>() * factor;
  return json;
}

}  // namespace

ordered_json energy_per_mib(const std::string& label, const ordered_json& result) {
  const ordered_json& energy = result.at("energy");
  const double mib = mib_written(result);
  const double factor = mib > 0 ? 1 / mib : 0;
  ordered_json by_cause = scaled(energy.at("by_cause_j"), factor);
  ordered_json by_operation = scaled(energy.at("by_operation_j"), factor);
  for (const char* state : {"standby", "sleep"}) {
    const double joules = energy.at("by_state_j").at(state).get<double>() * factor;
    by_cause[state] = joules;
    by_operation[state] = joules;
  }
  return {{"label", label},
          {"supply_v", result.at("device").at("supply_v")},
          {"total_j", energy.at("total_j").get<double>() * factor},
          {"by_cause_j", by_cause},
          {"by_operation_j", by_operation}};
}

ordered_json battery_row(const std::string& label, const ordered_json& result) {
  const ordered_json& power = result.at("config").at("power");
  const ordered_json& energy = result.at("energy");
  const double capacity_j = power.at("battery_wh").get<double>() * kJoulesPerWh;
  const double mib = mib_written(result);
  const double per_mib = mib > 0 ? energy.at("total_j").get<double>() / mib : 0;
  // Writing costs its operations; standing by costs the state power all the time, at whatever rate is written.
  const double active_per_mib = mib > 0 ? energy.at("by_state_j").at("active").get<double>() / mib : 0;
  const double state_w =
      (energy.at("by_state_j").at("standby").get<double>() + energy.at("by_state_j").at("sleep").get<double>()) /
      result.at("time").at("simulated_s").get<double>();
  const double rate_mib_per_s = power.at("write_mib_per_hour").get<double>() / 3600;
  const double watts = power.at("system_w").get<double>() + state_w + rate_mib_per_s * active_per_mib;
  return {{"label", label},
          {"supply_v", result.at("device").at("supply_v")},
          {"j_per_host_mib", per_mib},
          {"mib_per_charge", per_mib > 0 ? ordered_json(capacity_j / per_mib) : ordered_json(nullptr)},
          {"hours_per_charge", watts > 0 ? ordered_json(capacity_j / watts / 3600) : ordered_json(nullptr)}};
}

ordered_json battery_section(const ordered_json& result, const ordered_json& rows) {
  const ordered_json& power = result.at("config").at("power");
  const double wh = power.at("battery_wh").get<double>();
  return {
      {"description",
       fmt::format("A battery of {:g} Wh that feeds the card{}. \"Per charge\" writes without a pause; the hours hold "
                   "for {:g} MiB written per hour, the card in standby between writes.",
                   wh,
                   power.at("system_w").get<double>() > 0
                       ? fmt::format(" and {:g} W of other load", power.at("system_w").get<double>())
                       : " alone",
                   power.at("write_mib_per_hour").get<double>())},
      {"capacity_j", wh * kJoulesPerWh},
      {"source", "keys power.battery_wh, power.system_w, power.write_mib_per_hour"},
      {"estimate", true},
      {"rows", rows}};
}

}  // namespace ftlab::platform
