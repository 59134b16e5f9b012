// Power times time in integers.
#pragma once

#include <cstdint>

#include "common/units.h"

namespace ftlab::hw {

/// Microwatts during ticks. One microwatt-tick is 1e-16 J = 1/10000 pJ; a watt may last 29 hours before it overflows.
constexpr Picojoules energy_of(std::int64_t microwatts, Ticks time) {
  return Picojoules{(microwatts * time.count() + 5'000) / 10'000};
}

/// Nanowatts over spans of years: split so that a kilowatt-year fits.
constexpr Picojoules long_energy_of(std::int64_t nanowatts, Ticks time) {
  constexpr std::int64_t kPerPicojoule = 10'000'000;  // nanowatt-ticks in a picojoule
  const std::int64_t whole = time.count() / kPerPicojoule;
  const std::int64_t rest = time.count() % kPerPicojoule;
  return Picojoules{whole * nanowatts + rest * nanowatts / kPerPicojoule};
}

}  // namespace ftlab::hw
