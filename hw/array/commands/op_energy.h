// Energy of one operation, or of one burst of them on a segment: half as wide as sums, because a die takes one every
// few nanoseconds of the simulating machine.
#pragma once

#include <cstdint>

#include "common/sums.h"

namespace ftlab::hw::array {

/// Picojoules in 64 bits: 65,535 pages of a segment, each 250 ms at 100 W, are a fifth of what these hold.
class OpEnergy {
 public:
  constexpr OpEnergy() = default;
  constexpr explicit OpEnergy(Picojoules energy) : count_(static_cast<std::int64_t>(energy.count())) {}
  // A sum takes it as it is.
  // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions)
  constexpr operator Picojoules() const { return Picojoules{count_}; }
  [[nodiscard]] constexpr std::int64_t count() const { return count_; }
  constexpr OpEnergy& operator+=(OpEnergy other) {
    count_ += other.count_;
    return *this;
  }
  friend constexpr OpEnergy operator+(OpEnergy a, OpEnergy b) { return a += b; }
  friend constexpr OpEnergy operator*(OpEnergy one, std::uint32_t count) {
    one.count_ *= count;
    return one;
  }

 private:
  std::int64_t count_ = 0;
};

}  // namespace ftlab::hw::array
