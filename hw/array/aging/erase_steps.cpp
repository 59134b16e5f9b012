#include "hw/array/aging/erase_steps.h"

#include <boost/random/uniform_01.hpp>
#include <cmath>

#include "hw/base/random_stream.h"

namespace ftlab::hw::array {
namespace {

constexpr std::uint32_t kEraseStepStream = 0x41455253;  // "AERS"

}  // namespace

EraseSteps::EraseSteps(const ArraySpec& spec, std::uint64_t seed) : table_(spec.erase_steps) {
  if (!table_.any()) return;
  auto engine = make_stream(seed, {kEraseStepStream});
  boost::random::uniform_01<double> uniform;
  quantiles_.resize(spec.segments);
  // Of blocks that work as one the one that is erased hardest: the largest of so many quantiles.
  const double share = 1.0 / spec.planes_at_once;
  for (float& quantile : quantiles_) {
    const double drawn = uniform(engine);
    quantile = static_cast<float>(spec.planes_at_once == 1 ? drawn : std::pow(drawn, share));
  }
}

}  // namespace ftlab::hw::array
