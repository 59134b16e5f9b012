// Roots of functions that only rise or only fall, by Boost's methods; where rounding leaves no change of sign between
// the ends, the better end.
#pragma once

#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>

namespace ftlab::analytic {

template <class F>
double root_between(F&& f, double low, double high) {
  const double at_low = f(low);
  const double at_high = f(high);
  if (at_low == 0 || at_high == 0 || (at_low < 0) == (at_high < 0))
    return std::abs(at_low) < std::abs(at_high) ? low : high;
  std::uintmax_t steps = 200;
  const auto [a, b] = boost::math::tools::toms748_solve(f, low, high, at_low, at_high,
                                                        boost::math::tools::eps_tolerance<double>(), steps);
  return a + (b - a) / 2;
}

/// Newton's method for a function that rises; `f` gives a pair of value and derivative.
template <class F>
double newton_root(F&& f, double start, double low, double high) {
  if (!(low < high)) return low;
  constexpr int kBits = 40;  // of the step before the last one, which doubles them
  std::uintmax_t steps = 200;
  return boost::math::tools::newton_raphson_iterate(f, start, low, high, kBits, steps);
}

}  // namespace ftlab::analytic
