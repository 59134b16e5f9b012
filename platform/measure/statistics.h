// Mean, spread and confidence of a handful of runs.
#pragma once

#include <vector>

namespace ftlab::platform {

struct Sample {
  double mean = 0;
  double stddev = 0;          ///< sample standard deviation (n - 1); 0 with one value
  double standard_error = 0;  ///< of the mean
  std::size_t n = 0;
};

Sample summarize(const std::vector<double>& values);

/// Half width of the 95 % interval of the mean (Student's t, n - 1 degrees of freedom); 0 with one value.
double half_width_95(const Sample& sample);

}  // namespace ftlab::platform
