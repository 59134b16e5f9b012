// The errors of a page are drawn at once; only where one codeword could hold too many are they spread over codewords.
#include "hw/array/aging/error_model.h"

#include <algorithm>
#include <boost/random/poisson_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>

#include "hw/base/random_stream.h"

namespace ftlab::hw::array {
namespace {
constexpr std::uint32_t kErrorStream = 0x41455252;  // "AERR"
}  // namespace

ErrorModel::ErrorModel(const ArraySpec& spec, std::uint64_t seed)
    : errors_(spec.errors),
      rated_cycles_(spec.endurance.rated_cycles),
      page_bits_(spec.page_bytes * 8),
      codewords_(spec.page_bytes / spec.errors.codeword_bytes),
      engine_(make_stream(seed, {kErrorStream})) {}

double ErrorModel::rate(std::uint32_t type, std::uint32_t erase_count) const {
  const double worn =
      errors_.wear > 0 ? errors_.wear * std::pow(erase_count / rated_cycles_, errors_.wear_exponent) : 0;
  return std::min((errors_.base + worn) * errors_.factor[type], 0.5);
}

ReadErrors ErrorModel::draw(std::uint32_t type, std::uint32_t erase_count) {
  const double mean = rate(type, erase_count) * page_bits_;
  if (mean <= 0) return {};
  ReadErrors found;
  found.bits = static_cast<std::uint32_t>(boost::random::poisson_distribution<int, double>(mean)(engine_));
  if (found.bits <= errors_.correctable_bits) return found;
  std::fill(codewords_.begin(), codewords_.end(), 0U);
  boost::random::uniform_int_distribution<std::size_t> place(0, codewords_.size() - 1);
  for (std::uint32_t i = 0; i < found.bits; ++i) ++codewords_[place(engine_)];
  found.correctable = *std::max_element(codewords_.begin(), codewords_.end()) <= errors_.correctable_bits;
  return found;
}

}  // namespace ftlab::hw::array
