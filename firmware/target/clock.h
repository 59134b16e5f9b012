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
  /// Halts the core until the next interrupt, the timer's at the latest, or one that is held.
  static void wait_for_interrupt();
  // Interrupts in between are taken at the end.
  static void hold_interrupts();
  static void release_interrupts();

 private:
  static volatile std::uint32_t ticks_low_;
  static volatile std::uint32_t ticks_high_;
  static std::uint32_t cycles_per_tick_;
};

/// For a look at a register and the sleep behind it: no interrupt comes between them unseen.
class InterruptsHeld {
 public:
  InterruptsHeld() { Clock::hold_interrupts(); }
  ~InterruptsHeld() { Clock::release_interrupts(); }
  InterruptsHeld(const InterruptsHeld&) = delete;
  InterruptsHeld& operator=(const InterruptsHeld&) = delete;
};

}  // namespace ftlab::target
