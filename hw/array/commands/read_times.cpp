#include "hw/array/commands/read_times.h"

#include <algorithm>
#include <boost/random/exponential_distribution.hpp>
#include <cmath>

#include "hw/base/random_stream.h"

namespace ftlab::hw::array {
namespace {

constexpr std::uint32_t kReadTimeStream = 0x41525449;  // "ARTI"

}  // namespace

ReadTimes::ReadTimes(const ArraySpec& spec, std::uint64_t seed) {
  if (spec.timing.read_distribution == ReadDistribution::constant) return;
  for (std::uint32_t die = 0; die < spec.dies(); ++die) engines_.push_back(make_stream(seed, {kReadTimeStream, die}));
}

Ticks ReadTimes::draw(std::uint32_t die, Ticks mean) {
  const double times = boost::random::exponential_distribution<double>()(engines_[die]);
  const double cut = std::min(times, static_cast<double>(kMaxMeans));
  return Ticks{std::llround(static_cast<double>(mean.count()) * cut)};
}

}  // namespace ftlab::hw::array
