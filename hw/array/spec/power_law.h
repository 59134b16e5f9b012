// Raw bit error rate by cycles, retention and reads as a sum of powers (Kim, Choi, Min: Design Tradeoffs for SSD
// Reliability, FAST 2019). Knows no page and no unit: coefficients decide those.
#pragma once

#include <cmath>

namespace ftlab::hw {

/// Nine coefficients; c: cycles, t: days since the program, r: reads of each page since the erase.
struct ErrorPowerLaw {
  double epsilon = 0;
  double alpha = 0;  ///< alpha c^k
  double k = 0;
  double beta = 0;  ///< beta c^m t^n
  double m = 0;
  double n = 0;
  double gamma = 0;  ///< gamma c^p r^q
  double p = 0;
  double q = 0;

  /// What cycles alone decide.
  struct Worn {
    double base = 0;       ///< of data just written
    double retention = 0;  ///< of t^n
    double reads = 0;      ///< of r^q
  };
  [[nodiscard]] Worn after(double cycles) const {
    return {epsilon + alpha * std::pow(cycles, k), beta * std::pow(cycles, m), gamma * std::pow(cycles, p)};
  }
  /// r^q
  [[nodiscard]] double disturbed(double page_reads) const { return page_reads > 0 ? std::pow(page_reads, q) : 0; }
  [[nodiscard]] double rate_disturbed(const Worn& worn, double days, double disturbed) const {
    return worn.base + (days > 0 ? worn.retention * std::pow(days, n) : 0) + worn.reads * disturbed;
  }
  [[nodiscard]] double rate(const Worn& worn, double days, double page_reads) const {
    return rate_disturbed(worn, days, disturbed(page_reads));
  }
};

/// So many times faster than at the reference do data age at that temperature.
inline double arrhenius(double activation_ev, double reference_c, double temperature_c) {
  constexpr double kBoltzmann = 8.617333e-5;  // eV/K
  constexpr double kZeroCelsius = 273.15;     // K
  return std::exp(activation_ev / kBoltzmann * (1 / (reference_c + kZeroCelsius) - 1 / (temperature_c + kZeroCelsius)));
}

}  // namespace ftlab::hw
