#include "platform/measure/statistics.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace ftlab::platform {

Sample summarize(const std::vector<double>& values) {
  Sample sample;
  sample.n = values.size();
  if (values.empty()) return sample;
  const auto n = static_cast<double>(values.size());
  for (const double v : values) sample.mean += v / n;
  if (values.size() < 2) return sample;
  double squares = 0;
  for (const double v : values) squares += (v - sample.mean) * (v - sample.mean);
  sample.stddev = std::sqrt(squares / (n - 1));
  sample.standard_error = sample.stddev / std::sqrt(n);
  return sample;
}

double half_width_95(const Sample& sample) {
  if (sample.n < 2) return 0;
  const boost::math::students_t distribution(static_cast<double>(sample.n - 1));
  return boost::math::quantile(distribution, 0.975) * sample.standard_error;
}

}  // namespace ftlab::platform
