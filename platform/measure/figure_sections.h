// Sections of a result whose rows are made together: response times and wear.
#pragma once

#include <nlohmann/json.hpp>

#include "platform/host/latency.h"
#include "platform/measure/run_record.h"

namespace ftlab::platform {

[[nodiscard]] nlohmann::ordered_json latency_section(const LatencyRecorder& recorder);
/// With what a plot of the distribution needs: every percentile.
[[nodiscard]] nlohmann::ordered_json distribution_section(const LatencyRecorder& recorder);
/// Erase counts since the format: over all segments, over those that carry data, and each.
[[nodiscard]] nlohmann::ordered_json wear_section(const RunRecord& record);

}  // namespace ftlab::platform
