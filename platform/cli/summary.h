// One result on the console. Knows result.json; computes nothing.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace ftlab::platform::cli {

/// What was simulated, then time, throughput, erasures, wear, energy and latency, then time and energy by cause.
std::string summary_text(const nlohmann::ordered_json& result);

/// Says on standard error that a text trace may be cut short, when it may.
void note_open_end(bool last_line_open, const std::string& trace);

/// Says on standard error how many requests of a trace have no bytes, when any do.
void note_empty_requests(std::uint64_t empty, const std::string& trace);

}  // namespace ftlab::platform::cli
