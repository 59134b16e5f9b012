#include "hw/array/aging/codeword_limit.h"

#include <algorithm>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>

namespace ftlab::hw::array {

namespace {

double log_poisson(double mean, double n) { return n * std::log(mean) - mean - std::lgamma(n + 1); }

/// Of each codeword; the table's ends are about as far away from it.
double usual_mean(std::uint32_t most) { return (most + 1) / 2.0; }

}  // namespace

bool CodewordLimit::fits(std::uint32_t codewords, std::uint32_t most) {
  constexpr double kMinLog = -600;  // of a double -708
  return std::uint64_t{codewords} * most <= 8192 && log_poisson(usual_mean(most) * codewords, most) > kMinLog;
}

// Of independent Poisson counts the sum says how likely it is that none is beyond the limit, whatever their mean is:
// the probability of that sum from counts up to the limit, over that of the sum. The mean is taken where both are far
// from 0.
CodewordLimit::CodewordLimit(std::uint32_t codewords, std::uint32_t most) : codewords_(codewords), most_(most) {
  const double mean = usual_mean(most);
  std::vector<double> one(most + 1);
  for (std::uint32_t k = 0; k <= most; ++k) one[k] = std::exp(log_poisson(mean, k));
  std::vector<double> sum = one;
  for (std::uint32_t n = 1; n < codewords; ++n) {
    std::vector<double> longer(sum.size() + most);
    for (std::size_t i = 0; i < sum.size(); ++i)
      for (std::size_t k = 0; k <= most; ++k) longer[i + k] += sum[i] * one[k];
    sum = std::move(longer);
  }
  none_.assign(sum.size(), 1);
  for (std::size_t bits = most + 1; bits < sum.size(); ++bits)
    none_[bits] = std::min(1.0, sum[bits] / std::exp(log_poisson(mean * codewords, static_cast<double>(bits))));
}

std::uint32_t CodewordLimit::draw_one(std::uint32_t bits, boost::random::taus88& engine) const {
  // Binomial beyond the limit, in units of its first term.
  const double odds = 1.0 / (codewords_ - 1);
  double whole = 0;
  double term = 1;
  for (std::uint32_t k = most_ + 1; k <= bits && term > 0; ++k) {
    whole += term;
    term *= odds * (bits - k) / (k + 1);
  }
  double left = boost::random::uniform_01<double>()(engine) * whole;
  term = 1;
  std::uint32_t k = most_ + 1;
  for (; k < bits && left >= term; ++k) {
    left -= term;
    term *= odds * (bits - k) / (k + 1);
  }
  return k;
}

BeyondLimit CodewordLimit::draw(std::uint32_t bits, boost::random::taus88& engine) const {
  if (codewords_ == 1) return {1, bits};
  std::vector<std::uint32_t> others(codewords_ - 1);
  boost::random::uniform_int_distribution<std::size_t> place(0, others.size() - 1);
  for (;;) {
    const std::uint32_t first = draw_one(bits, engine);
    std::ranges::fill(others, 0U);
    for (std::uint32_t i = first; i < bits; ++i) ++others[place(engine)];
    BeyondLimit found{1, first};
    for (const std::uint32_t other : others) {
      if (other <= most_) continue;
      ++found.codewords;
      found.bits += other;
    }
    if (boost::random::uniform_int_distribution<std::uint32_t>(1, found.codewords)(engine) == 1) return found;
  }
}

}  // namespace ftlab::hw::array
