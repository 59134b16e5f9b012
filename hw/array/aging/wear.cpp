#include "hw/array/aging/wear.h"

#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>

#include "hw/base/random_stream.h"

namespace ftlab::hw::array {
namespace {

constexpr std::uint32_t kDieStream = 0x41444945;  // "ADIE"
constexpr double kForever = 4e9;                  ///< cycles nobody reaches
constexpr float kFastest = 0.6F;                  ///< no part is further from nominal, however wide the distribution
constexpr float kSlowest = 1.5F;

std::uint32_t draw_limit(boost::random::taus88& engine, const ArrayEndurance& endurance) {
  double limit = endurance.rated_cycles;
  const double above = limit * (endurance.median_ratio - 1);
  if (above > 0) limit += boost::random::lognormal_distribution<double>(std::log(above), endurance.spread)(engine);
  return static_cast<std::uint32_t>(std::min(limit, kForever));
}

}  // namespace

Wear::Wear(const ArraySpec& spec, std::uint64_t seed, SegmentTable& segments)
    : erase_(spec.timing.erase),
      steps_(spec, seed),
      erase_slope_(spec.endurance.erase_growth / spec.endurance.rated_cycles),
      program_slope_(spec.endurance.program_growth / spec.endurance.rated_cycles),
      drift_end_(spec.endurance.drift_cap * spec.endurance.rated_cycles),
      scales_(erase_slope_ != 0 || program_slope_ != 0) {
  if (spec.variation.die > 0 || spec.variation.segment > 0) {
    variation_.resize(spec.segments);
    scales_ = true;
  }
  for (std::uint32_t die = 0; die < spec.dies(); ++die) draw_die(spec, seed, die, segments);
  for (std::uint32_t i = 0; i < segments.size(); ++i) age(i, segments[i]);
}

void Wear::draw_die(const ArraySpec& spec, std::uint64_t seed, std::uint32_t die, SegmentTable& segments) {
  auto engine = make_stream(seed, {kDieStream, die});
  boost::random::uniform_01<double> uniform;
  boost::random::normal_distribution<double> normal;
  const double of_die = 1 + spec.variation.die * normal(engine);
  const std::uint32_t first = die * spec.segments_per_die();
  for (std::uint32_t i = first; i < first + spec.segments_per_die(); ++i) {
    Segment& segment = segments[i];
    // Of blocks that work as one the weakest decides. Segment 0 is guaranteed, as sheets do.
    segment.limit = UINT32_MAX;
    for (std::uint32_t plane = 0; plane < spec.planes_at_once; ++plane) {
      if (uniform(engine) < spec.initial_bad_share && i != 0) segment.flags |= segment_flag::kBad;
      const bool by_erase = uniform(engine) < 0.5;
      const std::uint32_t limit = draw_limit(engine, spec.endurance);
      if (limit >= segment.limit) continue;
      segment.limit = limit;
      segment.flags = static_cast<std::uint8_t>(by_erase ? segment.flags | segment_flag::kWearsByErase
                                                         : segment.flags & ~segment_flag::kWearsByErase);
    }
    const auto factor = static_cast<float>(of_die + spec.variation.segment * normal(engine));
    if (!variation_.empty()) variation_[i] = std::clamp(factor, kFastest, kSlowest);
  }
}

}  // namespace ftlab::hw::array
