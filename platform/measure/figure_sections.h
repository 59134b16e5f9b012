// Sections of a result whose rows are made together: response times, wear, sums by operation and cause.
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

/// A number for each kind of operation, and for each cause, of what `cell` makes of their ledger cells.
template <class Cell>
nlohmann::ordered_json by_operation(const RunRecord& r, Cell cell) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (std::uint32_t k = 0; k < hw::kDeviceOpKinds; ++k) {
    const auto kind = static_cast<hw::DeviceOpKind>(k);
    json[std::string(hw::name_of(kind))] = cell(r.ledger.by_operation(kind));
  }
  return json;
}

template <class Cell>
nlohmann::ordered_json by_cause(const RunRecord& r, Cell cell) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (std::uint32_t c = 0; c < kCauses; ++c) {
    const auto cause = static_cast<Cause>(c);
    json[name_of(cause)] = cell(r.ledger.by_cause(cause));
  }
  return json;
}

}  // namespace ftlab::platform
