// RV32IMC in machine mode, with a CLINT and a PLIC (hw/regs/riscv_board_regs.h).
#pragma once

#include <cstdint>

#include "firmware/target/board.h"
#include "hw/regs/riscv_board_regs.h"

namespace ftlab::target::core {

inline volatile std::uint32_t& board_register(std::uint32_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(std::uintptr_t{address});
}

inline void set_timer(std::uint64_t cycle) {
  // Interrupts are off, or the timer's is pending: what it is in between does not matter.
  board_register(hw::riscv_board::kMtimecmp) = static_cast<std::uint32_t>(cycle);
  board_register(hw::riscv_board::kMtimecmp + 4) = static_cast<std::uint32_t>(cycle >> 32);
}

/// From now on Clock::tick() is called after each `cycles_per_tick`, and the lines wake the core.
void start_interrupts(std::uint32_t cycles_per_tick);

/// Since the tick that is due next began.
inline std::uint32_t cycles_in_tick(std::uint32_t cycles_per_tick) {
  return cycles_per_tick - (board_register(hw::riscv_board::kMtimecmp) - board_register(hw::riscv_board::kMtime));
}

inline void wait_for_interrupt() { __asm volatile("wfi" ::: "memory"); }
void hold_interrupts();
void release_interrupts();

}  // namespace ftlab::target::core
