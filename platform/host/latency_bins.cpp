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
  // Where doubles lie many ticks apart the axis rounds by thousands of them: the range is widened by doubling, then
  // halved.
  const auto about = static_cast<std::uint64_t>(axis.value(bin + 1) / to_seconds(Ticks{1}));
  std::uint64_t within = about;  // in this bin or below, but for tick 0
  for (std::uint64_t step = 1; within > 0 && bin_of(axis, within) > bin; step *= 2) within -= std::min(within, step);
  std::uint64_t above = about;
  for (std::uint64_t step = 1; bin_of(axis, above) <= bin; step *= 2) {
    if (above == kMaxTicks) return UINT64_MAX;
    above += std::min(step, kMaxTicks - above);
  }
  if (within == 0 && bin_of(axis, 0) > bin) return 0;
  while (above - within > 1) {
    const std::uint64_t middle = within + (above - within) / 2;
    (bin_of(axis, middle) > bin ? above : within) = middle;
  }
  return above;
}

}  // namespace

std::uint64_t LatencyBins::start_of(std::uint32_t cell) {
  constexpr std::uint64_t kCells = 1U << kCellBits;
  if (cell < 2 * kCells) return cell;
  const std::uint32_t shift = cell / kCells - 1;
  return (cell - shift * kCells) << shift;
}

LatencyBins::LatencyBins(const LatencyAxis& axis)
    : axis_(axis), first_(cell_of(kMaxTicks) + 1, kUnknown), next_(static_cast<std::size_t>(axis.size())) {}

std::uint64_t LatencyBins::next_of(std::uint32_t bin) {
  if (next_[bin] == 0) next_[bin] = end_of(axis_, static_cast<int>(bin));
  return next_[bin];
}

void LatencyBins::look_up(std::uint32_t cell) {
  const std::uint64_t start = start_of(cell);
  const std::uint64_t last = cell + 1 < first_.size() ? start_of(cell + 1) - 1 : kMaxTicks;
  auto bin = static_cast<std::uint32_t>(bin_of(axis_, start));
  while (bin > 0 && next_of(bin - 1) > start) --bin;
  while (next_of(bin) <= start) ++bin;
  first_[cell] = static_cast<std::uint16_t>(bin);
  while (next_of(bin) <= last) ++bin;
}

}  // namespace ftlab::platform
