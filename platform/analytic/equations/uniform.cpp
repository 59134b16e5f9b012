#include "platform/analytic/equations/uniform.h"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/lambert_w.hpp>
#include <cmath>
#include <utility>

#include "platform/analytic/equations/roots.h"

namespace ftlab::analytic {
namespace {

/// Below this, differences of nearly equal numbers are summed as series, whose first term left out is lost in rounding.
constexpr double kSeriesBelow = 0.03;

double surplus_slope(double y) {
  if (y < kSeriesBelow) return 1. / 2 + y * (1. / 6 - y * y * (1. / 180 - y * y / 5040));
  const double gone = -std::expm1(-y);
  return (gone - y * std::exp(-y)) / (gone * gone);
}

}  // namespace

double over_provisioning(double spare_factor) { return spare_factor / (1 - spare_factor); }

double surplus(double y) {
  if (y < kSeriesBelow) return y * (1. / 2 + y * (1. / 12 - y * y * (1. / 720 - y * y / 30240)));
  return (y + std::expm1(-y)) / -std::expm1(-y);
}

double surplus_inverse(double x) {
  const double alpha = 1 + x;
  const double argument = std::max(-alpha * std::exp(-alpha), -boost::math::constants::exp_minus_one<double>());
  // Near alpha = 1 the rounding of its argument costs W half of its digits; Newton's method gets them back.
  const double start = std::clamp(alpha + boost::math::lambert_w0(argument), x, 2 * x);
  return newton_root([x](double t) { return std::make_pair(surplus(t) - x, surplus_slope(t)); }, start, x, 3 * x);
}

double lru_write_amplification(double t) { return -1 / std::expm1(-t); }

double continuity_factor(double pages_per_segment) { return 1 + 0.5 / pages_per_segment; }

double greedy_surplus(double x, double pages_per_segment) { return x + (1 + x) * 0.5 / pages_per_segment; }

Greedy greedy(double x, double pages_per_segment) {
  const double t = surplus_inverse(greedy_surplus(x, pages_per_segment));
  const double a = lru_write_amplification(t) / continuity_factor(pages_per_segment);
  // Eq. 29 is W / ((1 + W)(W + c alpha)), and W = t - c alpha.
  return {1 + x, a, pages_per_segment + 1 - pages_per_segment / a, -1 / exp_beyond_linear(t)};
}

double exp_beyond_linear(double t) {
  if (t < kSeriesBelow)
    return t * t / 2 * (1 + t / 3 * (1 + t / 4 * (1 + t / 5 * (1 + t / 6 * (1 + t / 7 * (1 + t / 8))))));
  return std::expm1(t) - t;
}

double exp_beyond_linear_inverse(double value) {
  // Above the root, from where Newton's method comes down without overshooting.
  const double above = value < 2 ? std::sqrt(2 * value) : std::log(4 * value);
  return newton_root([value](double t) { return std::make_pair(exp_beyond_linear(t) - value, std::expm1(t)); }, above,
                     0, above);
}

}  // namespace ftlab::analytic
