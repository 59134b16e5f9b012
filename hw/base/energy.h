// Power times time in integers, and energy by what it flows for.
#pragma once

#include <cstdint>

#include "common/sums.h"

namespace ftlab::hw {

/// Microwatts during ticks, rounded to the nearest picojoule. Time is split before it is multiplied, which takes 64-bit
/// steps wherever the rest of it does.
constexpr Picojoules energy_of(std::int64_t microwatts, Ticks time) {
  constexpr std::int64_t kPerPicojoule = 10'000;  // microwatt-ticks in a picojoule
  const std::int64_t whole = time.count() / kPerPicojoule;
  const std::int64_t rest = time.count() % kPerPicojoule;
  return Picojoules{Int128{whole} * microwatts + (rest * microwatts + kPerPicojoule / 2) / kPerPicojoule};
}

/// Nanowatts, as standby power comes, over the time of many devices; whole picojoules.
constexpr Picojoules long_energy_of(std::int64_t nanowatts, TickSum time) {
  constexpr std::int64_t kPerPicojoule = 10'000'000;  // nanowatt-ticks in a picojoule
  const Int128 whole = time.count() / kPerPicojoule;
  const Int128 rest = time.count() % kPerPicojoule;
  return Picojoules{whole * nanowatts + rest * nanowatts / kPerPicojoule};
}

/// Energy that flows whatever the firmware does, since time zero.
struct StateEnergy {
  Picojoules standby{};
  Picojoules sleep{};  ///< components asleep, in power-down or held in reset
  Picojoules vpp{};    ///< leakage of Vpp while it is on
  [[nodiscard]] Picojoules total() const { return standby + sleep + vpp; }
};

}  // namespace ftlab::hw
