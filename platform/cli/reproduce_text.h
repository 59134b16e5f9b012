// reproduce.json on the console: one line for each published number.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ftlab::platform::cli {

/// Rows with paper, ours, deviation, what is allowed, verdict; then notes.
std::string experiment_text(const nlohmann::ordered_json& experiment);

/// Fitted parameters (those that were chosen so that cells agree), and what does not reproduce.
std::string parameters_text(const nlohmann::ordered_json& reproduce);

}  // namespace ftlab::platform::cli
