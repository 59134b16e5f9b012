/* What the firmware needs of an RV32IMC core in machine mode. */
#ifndef CORE_H
#define CORE_H

/* From now on all lines of the board interrupt. */
void core_start_interrupts(void);

/* The compiler's -march is the one of its libraries, which names no control registers. */
#define CORE_CSR(instruction) ".option push\n.option arch, +zicsr\n" instruction "\n.option pop\n"

static inline void core_disable_interrupts(void) { __asm volatile(CORE_CSR("csrci mstatus, 8")::: "memory"); }
static inline void core_enable_interrupts(void) { __asm volatile(CORE_CSR("csrsi mstatus, 8")::: "memory"); }
/* Until an interrupt is pending, disabled or not. */
static inline void core_sleep(void) { __asm volatile("wfi" ::: "memory"); }

#endif
