#include "firmware/target/clock.h"

#include "firmware/target/board.h"
#include "firmware/target/core.h"

namespace ftlab::target {

namespace {

constexpr std::uint32_t kNsPerTick = 1'000'000'000 / kTickHz;

}  // namespace

volatile std::uint32_t Clock::ticks_low_ = 0;
volatile std::uint32_t Clock::ticks_high_ = 0;
std::uint32_t Clock::cycles_per_tick_ = 1;

void Clock::start(std::uint32_t core_hz) {
  cycles_per_tick_ = core_hz / kTickHz;
  core::start_interrupts(cycles_per_tick_);
}

void Clock::tick() {
  const std::uint32_t next = ticks_low_ + 1;
  ticks_low_ = next;
  if (next == 0) ticks_high_ = ticks_high_ + 1;
}

std::uint64_t Clock::now_ns() {
  for (;;) {
    const std::uint32_t high = ticks_high_;
    const std::uint32_t low = ticks_low_;
    const std::uint32_t cycles = core::cycles_in_tick(cycles_per_tick_);
    // A tick in between would pair an old count with a new timer value.
    if (low != ticks_low_ || high != ticks_high_) continue;
    const std::uint64_t ticks = (std::uint64_t{high} << 32) | low;
    return ticks * kNsPerTick + std::uint64_t{cycles} * kNsPerTick / cycles_per_tick_;
  }
}

void Clock::wait_for_interrupt() { core::wait_for_interrupt(); }
void Clock::hold_interrupts() { core::hold_interrupts(); }
void Clock::release_interrupts() { core::release_interrupts(); }

}  // namespace ftlab::target
