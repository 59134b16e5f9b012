#include "platform/analytic/equations/cat.h"

#include <limits>

#include "platform/analytic/equations/roots.h"

namespace ftlab::analytic {

double cat_equilibrium(double x, double pages_per_segment, const Classes& classes, double data_segments,
                       AgeFunction damped) {
  // Metric of a pool: u / (1 - u) = A - 1, times erased ~ r A, over f(age).
  const auto weight = [](double access, double a) { return (a - 1) * access * a; };
  // Each metric is multiplied by the other pool's f(age), which may be 0; the difference falls all the way.
  const auto difference = [&](double share) {
    const double hot = pool(share * x / classes.data[0], pages_per_segment).write_amplification;
    const double cold = pool((1 - share) * x / classes.data[1], pages_per_segment).write_amplification;
    const double hot_age = (classes.data[0] + share * x) / hot;
    const double cold_age = (classes.data[1] + (1 - share) * x) / cold;
    return weight(classes.access[0], hot) * damped(cold_age, data_segments) -
           weight(classes.access[1], cold) * damped(hot_age, data_segments);
  };
  if (!(difference(0) > 0 && difference(1) < 0)) return std::numeric_limits<double>::quiet_NaN();
  return root_between(difference, 0, 1);
}

}  // namespace ftlab::analytic
