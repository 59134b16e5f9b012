#include "platform/analytic/equations/pools.h"

#include <cmath>

namespace ftlab::analytic {

// At A = 1, e^-t = 1 - 1 / c, and alpha = A * t = t.
double needless_over_provisioning(double pages_per_segment) { return std::log(2 * pages_per_segment + 1) - 1; }

Greedy pool(double x, double pages_per_segment) {
  if (x < needless_over_provisioning(pages_per_segment)) return greedy(x, pages_per_segment);
  return {1 + x, 1, 1, 0};
}

Pools divide(double x, double pages_per_segment, const Classes& classes, std::span<const double> split) {
  Pools pools{{}, 0};
  for (std::size_t i = 0; i < split.size(); ++i) {
    pools.each.push_back(pool(split[i] * x / classes.data[i], pages_per_segment));
    pools.write_amplification += classes.access[i] * pools.each.back().write_amplification;
  }
  return pools;
}

double alpha_step(double segments, double invalid_pages, double pages_per_segment) {
  return -pages_per_segment / (segments * pages_per_segment - invalid_pages);
}

}  // namespace ftlab::analytic
