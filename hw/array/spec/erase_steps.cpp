#include "hw/array/spec/erase_steps.h"

#include <algorithm>
#include <cmath>

namespace ftlab::hw {

std::pair<std::size_t, double> ArrayEraseSteps::place(double after) const {
  const auto next = static_cast<std::size_t>(std::ranges::upper_bound(cycles, after) - cycles.begin());
  if (next == cycles.size()) return {next - 1, 0};
  return {next - 1, (after - cycles[next - 1]) / (cycles[next] - cycles[next - 1])};
}

double ArrayEraseSteps::share(const std::pair<std::size_t, double>& at, std::size_t index) const {
  const double share = shares[at.first][index];
  return at.second == 0 ? share : share + (shares[at.first + 1][index] - share) * at.second;
}

std::uint32_t ArrayEraseSteps::steps(double quantile, double after) const {
  const auto at = place(after);
  const std::size_t most = shares.front().size();
  double enough = 0;
  std::uint32_t last = 1;  // that any segment needs
  for (std::size_t i = 0; i < most; ++i) {
    const double some = share(at, i);
    if (some > 0) last = static_cast<std::uint32_t>(i) + 1;
    enough += some;
    if (quantile < enough) return last;
  }
  return last;
}

Ticks ArrayEraseSteps::mean(double after) const {
  const auto at = place(after);
  double steps = 0;
  for (std::size_t i = 0; i < shares.front().size(); ++i) steps += share(at, i) * static_cast<double>(i + 1);
  return Ticks{std::llround(static_cast<double>(step.count()) * steps)};
}

}  // namespace ftlab::hw
