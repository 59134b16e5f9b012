// Which bin of a logarithmic axis a latency falls into, without a logarithm for each: the axis is asked for an edge in
// ticks when a latency comes near it for the first time. Knows no counts.
#pragma once

#include <bit>
#include <boost/histogram/axis/regular.hpp>
#include <cstdint>
#include <vector>

#include "common/units.h"

namespace ftlab::platform {

using LatencyAxis = boost::histogram::axis::regular<double, boost::histogram::axis::transform::log>;

class LatencyBins {
 public:
  /// Keeps the axis.
  explicit LatencyBins(const LatencyAxis& axis);

  /// The bin that the axis gives for the latency, or its first or last one beyond its range.
  [[nodiscard]] std::uint32_t of(Ticks latency) {
    const auto ticks = static_cast<std::uint64_t>(latency.count());
    const std::uint32_t cell = cell_of(ticks);
    if (first_[cell] == kUnknown) [[unlikely]]
      look_up(cell);
    std::uint32_t bin = first_[cell];
    while (ticks >= next_[bin]) ++bin;
    return bin;
  }

 private:
  /// Cells are a 256th of a power of two wide, narrower than any bin.
  static constexpr unsigned kCellBits = 8;
  [[nodiscard]] static std::uint32_t cell_of(std::uint64_t ticks) {
    if (ticks < (1U << kCellBits)) return static_cast<std::uint32_t>(ticks);
    const auto shift = static_cast<unsigned>(std::bit_width(ticks)) - 1 - kCellBits;
    return (shift << kCellBits) + static_cast<std::uint32_t>(ticks >> shift);
  }
  [[nodiscard]] static std::uint64_t start_of(std::uint32_t cell);
  static constexpr std::uint16_t kUnknown = UINT16_MAX;
  /// The bins of its latencies.
  void look_up(std::uint32_t cell);
  std::uint64_t next_of(std::uint32_t bin);

  const LatencyAxis& axis_;
  std::vector<std::uint16_t> first_;  ///< of each cell: the bin of its lowest latency
  std::vector<std::uint64_t> next_;   ///< of each bin: ticks from which on a latency is in a higher one; 0: not known
};

}  // namespace ftlab::platform
