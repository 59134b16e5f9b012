// Time since reset, from the core's system timer, and ways to let it pass.
// The only state of the image that interrupts change.
#pragma once

#include <cstdint>

namespace ftlab::target {

class Clock {
 public:
  /// The core runs at `core_hz`, a multiple of kTickHz.
  static void start(std::uint32_t core_hz);
  /// Called by the timer interrupt.
  static void tick();
  /// Nanoseconds since start(); steps of one core clock.
  static std::uint64_t now_ns();
  /// Halts the core until the next interrupt: the timer's at the latest.
  static void wait_for_interrupt();

 private:
  static volatile std::uint32_t ticks_low_;
  static volatile std::uint32_t ticks_high_;
  static std::uint32_t cycles_per_tick_;
};

}  // namespace ftlab::target
