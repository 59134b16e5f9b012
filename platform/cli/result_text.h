// A result on standard output: its summary for people, the document or its figures for programs. Knows no figure.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/cli/listing.h"

namespace ftlab::platform::cli {

/// Table: the summary. JSON: the whole document. CSV: figure, value, unit of every figure that is one value.
std::string result_text(const nlohmann::ordered_json& result, Form form);

}  // namespace ftlab::platform::cli
