// Endurance limits are rated + lognormal: none below the promise of the data sheet, spread out above it.
#include "hw/series2plus/aging/wear_model.h"

#include <algorithm>
#include <boost/random/lognormal_distribution.hpp>
#include <cmath>

#include "hw/base/random_stream.h"

namespace ftlab::hw {
namespace {

constexpr std::uint32_t kEnduranceStream = 0x57454152;  // "WEAR"
constexpr double kForever = 4e9;                        ///< cycles nobody reaches

std::int64_t slope_per_cycle(Ticks base, double growth, std::uint32_t rated, int shift) {
  return std::llround(std::ldexp(static_cast<double>(base.count()) * growth / rated, shift));
}

/// Cycles at which an erase takes as long as its time-out: the part gives up from there on, whatever the cells could
/// do.
double cycles_to_timeout(const CardSpec& spec) {
  if (spec.endurance.erase_growth <= 0) return kForever;
  const double times =
      static_cast<double>(spec.timing.erase_timeout.count()) / static_cast<double>(spec.timing.erase.count());
  return spec.endurance.rated_cycles * (times - 1) / spec.endurance.erase_growth;
}

std::uint32_t draw_limit(const CardSpec& spec, std::uint64_t seed, std::uint32_t segment, std::uint32_t lane) {
  const CardEndurance& endurance = spec.endurance;
  auto engine = make_stream(seed, {kEnduranceStream, segment, lane});
  double limit = endurance.rated_cycles;
  const double above = endurance.median_cycles - endurance.rated_cycles;
  if (above > 0) limit += boost::random::lognormal_distribution<double>(std::log(above), endurance.spread)(engine);
  return static_cast<std::uint32_t>(std::min({limit, cycles_to_timeout(spec), kForever}));
}

}  // namespace

WearModel::WearModel(const CardSpec& spec, std::uint64_t seed)
    : erase_(spec.timing.erase),
      erase_timeout_(spec.timing.erase_timeout),
      word_program_(spec.timing.word_program),
      buffer_byte_(spec.timing.buffer_program_byte),
      timeout_ratio_(spec.timing.program_timeout_ratio),
      erase_slope_(slope_per_cycle(erase_, spec.endurance.erase_growth, spec.endurance.rated_cycles, kSlopeShift)),
      word_slope_(
          slope_per_cycle(word_program_, spec.endurance.program_growth, spec.endurance.rated_cycles, kSlopeShift)),
      buffer_slope_(
          slope_per_cycle(buffer_byte_, spec.endurance.program_growth, spec.endurance.rated_cycles, kSlopeShift)),
      cells_(std::size_t{spec.segments()} * 2) {
  for (std::uint32_t segment = 0; segment < spec.segments(); ++segment) {
    for (std::uint32_t lane = 0; lane < 2; ++lane) {
      cells(segment, lane).limit = draw_limit(spec, seed, segment, lane);
    }
  }
}

Ticks WearModel::failed_program(Ticks time) const {
  return Ticks{std::llround(static_cast<double>(time.count()) * timeout_ratio_)};
}

}  // namespace ftlab::hw
