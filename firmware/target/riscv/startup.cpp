// RISC-V: from reset to the common start-up code, and the one handler of all traps.
#include "firmware/target/startup.h"

#include <cstdint>
#include <initializer_list>

#include "firmware/target/clock.h"
#include "firmware/target/core.h"

// The compiler's -march is the libraries' one, which names no CSRs.
#define FTLAB_CSR(instruction) ".option push\n.option arch, +zicsr\n" instruction "\n.option pop\n"

namespace ftlab::target::core {
namespace {

namespace board = hw::riscv_board;

constexpr std::uint32_t kInterrupt = 1U << 31;  // of mcause
constexpr std::uint32_t kTimer = 7;
constexpr std::uint32_t kExternal = 11;

std::uint32_t ticks_apart = 0;

}  // namespace

void start_interrupts(std::uint32_t cycles_per_tick) {
  ticks_apart = cycles_per_tick;
  // After reset the high word of the time is zero for longer than this takes.
  set_timer(std::uint64_t{board_register(board::kMtime)} + cycles_per_tick);
  for (const std::uint32_t line : {kReadyInterrupt, kQueueInterrupt, kDmaInterrupt})
    board_register(board::kPriority + 4 * (board::kFirstSource + line)) = 1;
  board_register(board::kThreshold) = 0;
  board_register(board::kEnable) = (1U << kReadyInterrupt | 1U << kQueueInterrupt | 1U << kDmaInterrupt)
                                   << board::kFirstSource;
  constexpr std::uint32_t kBoth = 1U << kTimer | 1U << kExternal;
  __asm volatile(FTLAB_CSR("csrs mie, %0\ncsrsi mstatus, 8")::"r"(kBoth) : "memory");
}

// MIE of mstatus.
void hold_interrupts() { __asm volatile(FTLAB_CSR("csrci mstatus, 8")::: "memory"); }
void release_interrupts() { __asm volatile(FTLAB_CSR("csrsi mstatus, 8")::: "memory"); }

}  // namespace ftlab::target::core

extern "C" {

/// Waking the core is all that the lines have to do: whoever waits reads the status again.
[[gnu::interrupt("machine"), gnu::aligned(4)]] void trap_handler() {
  using namespace ftlab::target;
  namespace board = ftlab::hw::riscv_board;
  std::uint32_t cause = 0;
  __asm volatile(FTLAB_CSR("csrr %0, mcause") : "=r"(cause));
  if (cause == (core::kInterrupt | core::kTimer)) {
    const std::uint64_t due =
        std::uint64_t{core::board_register(board::kMtimecmp + 4)} << 32 | core::board_register(board::kMtimecmp);
    core::set_timer(due + core::ticks_apart);
    Clock::tick();
  } else if (cause == (core::kInterrupt | core::kExternal)) {
    const std::uint32_t source = core::board_register(board::kClaim);
    core::board_register(board::kClaim) = source;
  } else {
    halt("a fault of the core");
  }
}

/// Reset begins with the first byte of flash.
[[gnu::section(".vectors"), gnu::naked, gnu::used]] void reset_handler() {
  __asm volatile("la sp, stack_top\nla t0, trap_handler\n" FTLAB_CSR("csrw mtvec, t0") "j start_program");
}

}  // extern "C"
