#include "platform/analytic/equations/classes.h"

#include <cmath>

#include "platform/analytic/equations/roots.h"
#include "platform/analytic/equations/uniform.h"

namespace ftlab::analytic {

LruClasses lru_classes(double x, std::span<const double> access, std::span<const double> data) {
  // With tau = alpha / A, Eq. 19 is: what the classes leave valid, summed, fills the data's share of the device.
  const auto needed = [&](double tau) {
    double sum = 0;
    for (std::size_t i = 0; i < data.size(); ++i) sum += data[i] * surplus(access[i] / data[i] * tau);
    return sum - x;
  };
  // The sum is at least that of uniform writes (it is convex) and at most tau.
  const double tau = root_between(needed, x, surplus_inverse(x));
  LruClasses result{(1 + x) / tau, {}};
  for (std::size_t i = 0; i < data.size(); ++i) {
    const double y = access[i] / data[i] * tau;
    result.copies.push_back(y == 0 ? data[i] / tau : access[i] / std::expm1(y));
  }
  return result;
}

}  // namespace ftlab::analytic
