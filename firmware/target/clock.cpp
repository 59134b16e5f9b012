#include "firmware/target/clock.h"

#include "firmware/target/board.h"

namespace ftlab::target {

namespace {

constexpr std::uint32_t kNsPerTick = 1'000'000'000 / kTickHz;

/// Registers of the core (ARMv7-M): system timer and interrupt enable.
volatile std::uint32_t& core_register(std::uintptr_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}
constexpr std::uintptr_t kTimerControl = 0xE000E010;
constexpr std::uintptr_t kTimerReload = 0xE000E014;
constexpr std::uintptr_t kTimerValue = 0xE000E018;
constexpr std::uintptr_t kInterruptEnable = 0xE000E100;
constexpr std::uint32_t kTimerOnCoreClockWithInterrupt = 0x7;

}  // namespace

volatile std::uint32_t Clock::ticks_low_ = 0;
volatile std::uint32_t Clock::ticks_high_ = 0;
std::uint32_t Clock::cycles_per_tick_ = 1;

void Clock::start(std::uint32_t core_hz) {
  cycles_per_tick_ = core_hz / kTickHz;
  core_register(kTimerReload) = cycles_per_tick_ - 1;
  core_register(kTimerValue) = 0;
  core_register(kTimerControl) = kTimerOnCoreClockWithInterrupt;
  core_register(kInterruptEnable) = 1U << kReadyInterrupt | 1U << kQueueInterrupt;
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
    const std::uint32_t left = core_register(kTimerValue);
    // A tick in between would pair an old count with a new timer value.
    if (low != ticks_low_ || high != ticks_high_) continue;
    const std::uint64_t ticks = (std::uint64_t{high} << 32) | low;
    return ticks * kNsPerTick + std::uint64_t{cycles_per_tick_ - 1 - left} * kNsPerTick / cycles_per_tick_;
  }
}

void Clock::wait_for_interrupt() { __asm volatile("wfi" ::: "memory"); }

}  // namespace ftlab::target
