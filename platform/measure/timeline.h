// How a run went over simulated time: rows of cumulative and momentary figures, one every sampling period.
// Knows what the figures are called, not where they come from. Flows count from the start of the measured phase.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "firmware/ftl/ftl.h"
#include "platform/firmwares/firmware_instance.h"
#include "platform/host/host.h"
#include "platform/measure/firmware_counts.h"
#include "platform/measure/utilization.h"

namespace ftlab::platform {

class Timeline {
 public:
  /// What had happened when the measured phase began.
  void begin(const FirmwareCounts& before) { before_ = before; }
  /// A row for time `since_start`, with those of `units`; `firmware` is asked for its figures and its segments.
  void take(Ticks since_start, const HostTotals& host, FirmwareInstance& firmware, const Utilization::Columns& units);

  /// Column by column, {} when nothing was taken (docs/results.md).
  [[nodiscard]] nlohmann::ordered_json json() const;

 private:
  void put(std::size_t column, std::string_view name, double value);

  FirmwareCounts before_;
  std::vector<std::pair<std::string, std::vector<double>>> columns_;
};

}  // namespace ftlab::platform
