// What a measured run says about energy: joules per MiB written, and what a battery would last.
// Knows result.json; no policy, no part.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ftlab::platform {

/// An entry of study.json energy_per_mib: J per MiB written by the host, by cause and by operation, each summing to the
/// total with the state energies.
nlohmann::ordered_json energy_per_mib(const std::string& label, const nlohmann::ordered_json& result);

/// How much a full battery writes, and how long it lasts at the rate of [power] in the run's configuration.
nlohmann::ordered_json battery_row(const std::string& label, const nlohmann::ordered_json& result);

/// The battery section of study.json; capacity and rate from the configuration of `result`.
nlohmann::ordered_json battery_section(const nlohmann::ordered_json& result, const nlohmann::ordered_json& rows);

}  // namespace ftlab::platform
