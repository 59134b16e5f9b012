// At the optimum no class would gain by what another one gives up: r_i |A'(alpha_i)| / f_i is the same for all that
// have spare space at all. That one number is the root searched here; comparing values of Eq. 20 instead would know the
// split to half of its digits only.
#include "platform/analytic/equations/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "platform/analytic/equations/roots.h"

namespace ftlab::analytic {
namespace {

/// The over-provisioning with which a class that is written `rate` times as often as the average gains `gain` by more.
double wanted(double rate, double gain, double pages_per_segment) {
  const double t = exp_beyond_linear_inverse(rate / gain);
  const double c = continuity_factor(pages_per_segment);
  return std::clamp((surplus(t) - (c - 1)) / c, 0., needless_over_provisioning(pages_per_segment));
}

}  // namespace

std::vector<double> optimal_split(double x, double pages_per_segment, const Classes& classes) {
  const std::size_t n = classes.data.size();
  std::vector<double> space(n);
  const auto give = [&](double gain) {
    for (std::size_t i = 0; i < n; ++i)
      space[i] = classes.data[i] * wanted(classes.access[i] / classes.data[i], gain, pages_per_segment);
    return std::accumulate(space.begin(), space.end(), 0.0);
  };
  double least = HUGE_VAL;
  double most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (classes.access[i] == 0) continue;
    least = std::min(least, classes.access[i] / classes.data[i]);
    most = std::max(most, classes.access[i] / classes.data[i]);
  }
  // From a gain at which every class that is written has all it can use, to one for which none gives anything.
  const double full = surplus_inverse(greedy_surplus(needless_over_provisioning(pages_per_segment), pages_per_segment));
  const double empty = surplus_inverse(greedy_surplus(0, pages_per_segment));
  const double low = std::log(least / exp_beyond_linear(full));
  const double high = std::log(most / exp_beyond_linear(empty));
  // Classes that are never written may leave more than the others can use; then these have all they can.
  give(std::exp(root_between([&](double gain) { return give(std::exp(gain)) - x; }, low, high)));
  const double given = std::accumulate(space.begin(), space.end(), 0.0);
  for (double& share : space) share /= given;
  return space;
}

}  // namespace ftlab::analytic
