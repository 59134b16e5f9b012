// The best of d random segments is cleaned; uniform writes, very many segments. In the fixed point of
//   dm_i = delta_ib - p_i + (E[b - j] / (b rho)) ((i + 1) m_(i+1) - i m_i),   p_i = S_i^d - S_(i+1)^d,
// m_i is the share of segments with i valid pages, S_i that of segments with i or more, j the pages of a victim: with
// probability S_i^d all d have i or more, and so has the best. Summed from i up, the fixed point reads
//   i (S_i - S_(i+1)) = x (1 - S_i^d),   x = b rho / E[b - j],
// so that each x gives all S_i, from b down, and the right x is the one whose S_i sum to b rho.
#include <algorithm>
#include <cmath>
#include <utility>

#include "platform/analytic/equations/roots.h"
#include "platform/analytic/models/members.h"

namespace ftlab::analytic::members {
namespace {

constexpr const InputRow* kDChoicesNeeds[] = {&kSpareFactor, &kPagesPerSegment, &kD};

/// C_i = 1 - S_i from C_(i+1), which keeps digits where nearly all segments have i pages or more: the root of
/// C + (x / i) (1 - (1 - C)^d) = C_(i+1).
double next_share(double above, double x_over_i, double d) {
  const auto excess = [=](double c) {
    const double log_share = std::log1p(-c);
    return std::make_pair(c - x_over_i * std::expm1(d * log_share) - above,
                          1 + x_over_i * d * std::exp((d - 1) * log_share));
  };
  const double least = std::max(0., above - x_over_i);
  return newton_root(excess, least, least, above);
}

Result d_choices_of(const Inputs& inputs) {
  const auto b = static_cast<double>(inputs.pages_per_segment);
  const auto d = static_cast<double>(inputs.d);
  const double rho = 1 - inputs.spare_factor;
  // Sum of C_i minus b S_f: pages invalid, against those there are.
  const auto difference = [&](double x) {
    double share = 1;
    double invalid = -b * inputs.spare_factor;
    for (double i = b; i >= 1; --i) {
      share = next_share(share, x / i, d);
      invalid += share;
    }
    return invalid;
  };
  // No choice (d = 1) is the worst: A = 1 / S_f. The value is x / rho.
  const double worst = rho / inputs.spare_factor;
  const double x = inputs.d == 1 ? worst : root_between(difference, rho, worst);
  return {x / rho, {{"victim_valid_pages", "mean over the victims", {b - b * rho / x}}}};
}

}  // namespace

constexpr Model d_choices = {
    "d_choices", "the best of d random segments is cleaned, very many segments, uniform writes (mean field)",
    kDChoicesNeeds, d_choices_of};

}  // namespace ftlab::analytic::members
