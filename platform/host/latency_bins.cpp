#include "platform/host/latency_bins.h"

#include <algorithm>

namespace ftlab::platform {
namespace {

constexpr std::uint64_t kMaxTicks = INT64_MAX;

int bin_of(const LatencyAxis& axis, std::uint64_t ticks) {
  return std::clamp(axis.index(to_seconds(Ticks{static_cast<std::int64_t>(ticks)})), 0, axis.size() - 1);
}

/// The least latency in a bin above `bin`, as the axis itself rounds.
std::uint64_t end_of(const LatencyAxis& axis, int bin) {
  // Beyond the last tick there is none in a bin above.
  if (bin + 1 == axis.size() || axis.value(bin + 1) >= to_seconds(Ticks{INT64_MAX})) return UINT64_MAX;
  auto ticks = static_cast<std::uint64_t>(axis.value(bin + 1) / to_seconds(Ticks{1}));
  while (ticks > 0 && bin_of(axis, ticks - 1) > bin) --ticks;
  while (bin_of(axis, ticks) <= bin) ++ticks;
  return ticks;
}

}  // namespace

std::uint64_t LatencyBins::start_of(std::uint32_t cell) {
  constexpr std::uint64_t kCells = 1U << kCellBits;
  if (cell < 2 * kCells) return cell;
  const std::uint32_t shift = cell / kCells - 1;
  return (cell - shift * kCells) << shift;
}

LatencyBins::LatencyBins(const LatencyAxis& axis) {
  for (int bin = 0; bin < axis.size(); ++bin) next_.push_back(end_of(axis, bin));
  std::uint16_t bin = 0;
  for (std::uint32_t cell = 0; cell <= cell_of(kMaxTicks); ++cell) {
    while (start_of(cell) >= next_[bin]) ++bin;
    first_.push_back(bin);
  }
}

}  // namespace ftlab::platform
