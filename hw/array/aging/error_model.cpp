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
      page_bits_(spec.page_bytes * 8),
      codewords_(spec.page_bytes / spec.errors.codeword_bytes),
      engine_(make_stream(seed, {kErrorStream})) {}

double ErrorModel::rate(std::uint32_t type, std::uint32_t erase_count, const Exposure::Page& page) const {
  const double life = erase_count / errors_.wear_cycles;
  double worn = errors_.wear > 0 ? errors_.wear * std::pow(life, errors_.wear_exponent) : 0;
  if (errors_.retains())
    worn *= 1 + static_cast<double>(page.age.count()) / static_cast<double>(errors_.retention_time.count());
  const double disturbed = errors_.disturb * (page.reads / 1000.0) * (1 + life);
  return std::min((errors_.base + worn + disturbed) * errors_.factor[type], 0.5);
}

ReadErrors ErrorModel::draw(std::uint32_t type, std::uint32_t erase_count, const Exposure::Page& page) {
  const double mean = rate(type, erase_count, page) * page_bits_;
  if (mean <= 0) return {};
  ReadErrors found;
  found.bits = static_cast<std::uint32_t>(boost::random::poisson_distribution<int, double>(mean)(engine_));
  const std::uint32_t moves_from = errors_.move_bits > 0 ? errors_.move_bits : errors_.correctable_bits + 1;
  if (found.bits < moves_from && found.bits <= errors_.correctable_bits) return found;
  std::fill(codewords_.begin(), codewords_.end(), 0U);
  boost::random::uniform_int_distribution<std::size_t> place(0, codewords_.size() - 1);
  for (std::uint32_t i = 0; i < found.bits; ++i) ++codewords_[place(engine_)];
  const std::uint32_t worst = *std::max_element(codewords_.begin(), codewords_.end());
  found.correctable = worst <= errors_.correctable_bits;
  found.must_move = found.correctable && worst >= moves_from;
  return found;
}

}  // namespace ftlab::hw::array
