// ARMv7-M: SysTick and the interrupt controller.
#pragma once

#include <cstdint>

#include "firmware/target/board.h"

namespace ftlab::target::core {

inline volatile std::uint32_t& core_register(std::uintptr_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}
inline constexpr std::uintptr_t kTimerControl = 0xE000E010;
inline constexpr std::uintptr_t kTimerReload = 0xE000E014;
inline constexpr std::uintptr_t kTimerValue = 0xE000E018;
inline constexpr std::uintptr_t kInterruptEnable = 0xE000E100;
inline constexpr std::uint32_t kTimerOnCoreClockWithInterrupt = 0x7;

/// From now on Clock::tick() is called after each `cycles_per_tick`, and the lines wake the core.
inline void start_interrupts(std::uint32_t cycles_per_tick) {
  core_register(kTimerReload) = cycles_per_tick - 1;
  core_register(kTimerValue) = 0;
  core_register(kTimerControl) = kTimerOnCoreClockWithInterrupt;
  core_register(kInterruptEnable) = 1U << kReadyInterrupt | 1U << kQueueInterrupt | 1U << kDmaInterrupt;
}

/// Since the tick that is due next began.
inline std::uint32_t cycles_in_tick(std::uint32_t cycles_per_tick) {
  return cycles_per_tick - 1 - core_register(kTimerValue);
}

inline void wait_for_interrupt() { __asm volatile("wfi" ::: "memory"); }
inline void hold_interrupts() { __asm volatile("cpsid i" ::: "memory"); }
inline void release_interrupts() { __asm volatile("cpsie i" ::: "memory"); }

}  // namespace ftlab::target::core
