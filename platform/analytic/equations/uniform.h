// Writes spread evenly over the data: LRU (Eq. 3-4) and greedy cleaning (Eq. 11-12), and the derivative of the latter
// (Eq. 29). Works on over-provisioning x = alpha - 1, since alpha keeps no digits of it where little is spare. Checks
// no domain.
#pragma once

namespace ftlab::analytic {

/// (T - U) / U from S_f = (T - U) / T.
double over_provisioning(double spare_factor);

/// y / (1 - e^-y) - 1: the spare space, in units of the data, with which cleaning comes round after each page was
/// written y times on average. Grows with y, from 0.
double surplus(double y);
/// Its inverse. For LRU cleaning this is t of Eq. 3.
double surplus_inverse(double x);

/// 1 / (1 - e^-t), Eq. 4.
double lru_write_amplification(double t);

/// c of Eq. 15: what the continuity correction of Eq. 9 makes of alpha, as a factor.
double continuity_factor(double pages_per_segment);

/// The surplus that LRU cleaning would need to be as good as greedy cleaning with x: c * alpha - 1.
double greedy_surplus(double x, double pages_per_segment);

/// Greedy cleaning, by t of c * alpha.
struct Greedy {
  double alpha = 1;
  double write_amplification = 1;
  double x0 = 0;          ///< Eq. 11: fewest valid pages that a noticeable share of the segments has
  double derivative = 0;  ///< Eq. 29: of the write amplification by alpha
};
Greedy greedy(double x, double pages_per_segment);

/// e^t - 1 - t, whose reciprocal is what Eq. 29 comes to without its sign.
double exp_beyond_linear(double t);
/// Its inverse.
double exp_beyond_linear_inverse(double value);

}  // namespace ftlab::analytic
