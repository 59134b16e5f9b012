/* RV32IMC: from reset to the common start, the handler of all traps, and the interrupt controller (a PLIC). */
#include "core.h"

#include "board.h"

#define REGISTER(address) (*(volatile uint32_t*)(address))
#define PLIC_PRIORITY(source) REGISTER(0x0C000000u + 4 * (source))
#define PLIC_ENABLE REGISTER(0x0C002000u)
#define PLIC_THRESHOLD REGISTER(0x0C200000u)
#define PLIC_CLAIM REGISTER(0x0C200004u)
#define MACHINE_EXTERNAL (1u << 11)

enum { SOURCE_CARD_READY = INTERRUPT_CARD_READY + 1, SOURCE_QUEUE = INTERRUPT_QUEUE + 1 };

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
  PLIC_PRIORITY(SOURCE_CARD_READY) = PLIC_PRIORITY(SOURCE_QUEUE) = 1;
  PLIC_THRESHOLD = 0;
  PLIC_ENABLE = 1u << SOURCE_CARD_READY | 1u << SOURCE_QUEUE;
  __asm volatile(CORE_CSR("csrs mie, %0")::"r"(MACHINE_EXTERNAL) : "memory");
  core_enable_interrupts();
}
