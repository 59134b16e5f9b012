/* RV32IMC: from reset to the common start, the handler of all traps, and the interrupt controller (a PLIC). */
#include "core.h"

#include "board.h"
#include "regs/riscv_board_regs.h"

#define REGISTER(address) (*(volatile uint32_t*)(address))
#define PLIC_PRIORITY(source) REGISTER(RISCV_BOARD_PRIORITY + 4 * (source))
#define PLIC_ENABLE REGISTER(RISCV_BOARD_ENABLE)
#define PLIC_THRESHOLD REGISTER(RISCV_BOARD_THRESHOLD)
#define PLIC_CLAIM REGISTER(RISCV_BOARD_CLAIM)
#define MACHINE_EXTERNAL (1u << 11)

enum {
  SOURCE_PART_READY = INTERRUPT_PART_READY + RISCV_BOARD_FIRST_SOURCE,
  SOURCE_QUEUE = INTERRUPT_QUEUE + RISCV_BOARD_FIRST_SOURCE,
  SOURCE_DMA = INTERRUPT_DMA + RISCV_BOARD_FIRST_SOURCE
};

_Noreturn void end_with(const char* why);

/* The core begins with the first byte of flash. */
__attribute__((section(".begin"), naked, used)) void reset(void) {
  __asm volatile("la sp, stack_top\nla t0, trap\n" CORE_CSR("csrw mtvec, t0") "j start");
}

/* To wake the core is all that a line has to do. A source that is not claimed interrupts for ever, and one that is not
 * completed never again. */
__attribute__((interrupt("machine"), aligned(4), used)) void trap(void) {
  uint32_t cause;
  __asm volatile(CORE_CSR("csrr %0, mcause") : "=r"(cause));
  if (cause != (1u << 31 | 11)) end_with("a fault of the core");
  const uint32_t source = PLIC_CLAIM;
  PLIC_CLAIM = source;
}

void core_start_interrupts(void) {
  PLIC_PRIORITY(SOURCE_PART_READY) = PLIC_PRIORITY(SOURCE_QUEUE) = PLIC_PRIORITY(SOURCE_DMA) = 1;
  PLIC_THRESHOLD = 0;
  PLIC_ENABLE = 1u << SOURCE_PART_READY | 1u << SOURCE_QUEUE | 1u << SOURCE_DMA;
  __asm volatile(CORE_CSR("csrs mie, %0")::"r"(MACHINE_EXTERNAL) : "memory");
  core_enable_interrupts();
}
