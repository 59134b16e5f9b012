// Greedy cleaning of very many segments, exactly: no continuous approximation, any spare factor. Victims hold k or k +
// 1 valid pages, with probability 1 - q and q, where
//   (b - k - q) / (b rho) = H_b - H_(k+1) + (1 - q) / (k + 1),   rho = U / T, H harmonic numbers, b = N_p.
#include "platform/analytic/models/members.h"

namespace ftlab::analytic::members {
namespace {

constexpr const InputRow* kGreedyExactNeeds[] = {&kSpareFactor, &kPagesPerSegment};

Result greedy_exact_of(const Inputs& inputs) {
  const auto b = static_cast<double>(inputs.pages_per_segment);
  const double valid = b * (1 - inputs.spare_factor);  // b rho, of the mean segment
  // Left side minus right side at q = 0, summed from k = b down as 1 / (b rho) - 1 / j, without their common digits.
  double difference = 0;
  double k = b;
  do {
    difference += (k - b + b * inputs.spare_factor) / (valid * k);
    --k;
  } while (difference > 0 && k > 0);
  // Beyond k = 0 segments without any valid page are always at hand.
  const double q = difference > 0 ? 0 : difference / (1 / valid - 1 / (k + 1));
  return {b / (b - k - q),
          {{"victim_valid_pages", "mean over the victims, k + q", {k + q}},
           {"k", "fewest valid pages of a victim", {k}},
           {"q", "share of the victims with one page more", {q}}}};
}

}  // namespace

constexpr Model greedy_exact = {
    "greedy_exact", "greedy cleaning of very many segments, uniform writes, without the approximation of Eq. 9",
    kGreedyExactNeeds, greedy_exact_of};

}  // namespace ftlab::analytic::members
