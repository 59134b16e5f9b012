// Erase counts over the segments as the run went, coarse enough for a picture: neighbours share a cell, and of a long
// run every second, fourth, ... sample is kept. Knows no device; the last sample is always there.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "common/units.h"

namespace ftlab::platform {

class WearMap {
 public:
  /// Counts per segment in address order, of as many segments each time.
  void take(Ticks since_start, const std::vector<std::uint32_t>& erase_counts);
  /// {time_s, segments_per_cell, erases: a row of means for each time}; null when nothing was taken.
  [[nodiscard]] nlohmann::ordered_json json() const;

 private:
  struct Row {
    double time_s = 0;
    std::vector<double> cells;
  };

  std::vector<Row> rows_;
  Row last_;
  std::size_t segments_per_cell_ = 1;
  std::uint64_t taken_ = 0;
  std::uint64_t stride_ = 1;
};

}  // namespace ftlab::platform
