// Cycles of a core and simulated time: cycles are counted, and a time is rounded once.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>

#include "common/units.h"

namespace ftlab::platform {

class CoreClock {
 public:
  static constexpr std::uint64_t kNeverCycle = std::numeric_limits<std::uint64_t>::max();
  /// Cycles a second; products of one second stay in 64 bits.
  static constexpr std::uint64_t kMaxHz = 1'000'000'000;

  explicit CoreClock(std::uint64_t hz)
      : hz_(hz), ticks_(kTicksPerSecond / std::gcd(kTicksPerSecond, hz)), cycles_(hz / std::gcd(kTicksPerSecond, hz)) {
    if (std::has_single_bit(cycles_)) shift_ = std::countr_zero(cycles_);
  }

  /// When the cycle begins, rounded down to a tick.
  [[nodiscard]] Ticks at(std::uint64_t cycle) const {
    // For each access of a device: divisions would be most of its cost.
    if (shift_ >= 0) return Ticks{static_cast<std::int64_t>(UInt128{cycle} * ticks_ >> shift_)};
    const std::uint64_t seconds = cycle / hz_;
    return Ticks{static_cast<std::int64_t>(seconds * kTicksPerSecond + cycle % hz_ * kTicksPerSecond / hz_)};
  }
  /// The first cycle that begins at that time or later, by at(); kNeverCycle for kNever.
  [[nodiscard]] std::uint64_t first_from(Ticks time) const {
    if (time == kNever) return kNeverCycle;
    if (time <= Ticks::zero()) return 0;
    const auto ticks = static_cast<std::uint64_t>(time.count());
    const std::uint64_t rest = ticks % kTicksPerSecond * hz_;
    return ticks / kTicksPerSecond * hz_ + (rest + kTicksPerSecond - 1) / kTicksPerSecond;
  }
  [[nodiscard]] std::uint64_t hz() const { return hz_; }
  /// Cycles so far apart begin equally far behind a whole tick.
  [[nodiscard]] std::uint64_t cycles_of_whole_ticks() const { return cycles_; }

  /// first_from(at(cycle) + time) - cycle, remembered: most accesses of a device take equally long.
  class Lasting {
   public:
    explicit Lasting(const CoreClock& clock) : clock_(clock) {}
    std::uint64_t of(std::uint64_t cycle, Ticks time) {
      if (clock_.shift_ < 0 || clock_.cycles_ > known_.size()) return count(cycle, time);
      // What counts is how far behind a whole tick the cycle begins.
      Known& known = known_[cycle & (clock_.cycles_ - 1)];
      if (known.time != time) known = {time, count(cycle, time)};
      return known.cycles;
    }

   private:
    struct Known {
      Ticks time{-1};
      std::uint64_t cycles = 0;
    };
    [[nodiscard]] std::uint64_t count(std::uint64_t cycle, Ticks time) const {
      return clock_.first_from(clock_.at(cycle) + time) - cycle;
    }

    const CoreClock& clock_;
    std::array<Known, 8> known_{};
  };

 private:
  static constexpr std::uint64_t kTicksPerSecond = Ticks::period::den;
  __extension__ using UInt128 = unsigned __int128;

  std::uint64_t hz_;
  std::uint64_t ticks_;   ///< so many ticks are
  std::uint64_t cycles_;  ///< so many cycles
  int shift_ = -1;        ///< log2 of cycles_; -1: that is no power of two
};

}  // namespace ftlab::platform
