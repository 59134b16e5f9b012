/* What the firmware needs of an ARMv7-M core. */
#ifndef CORE_H
#define CORE_H

/* From now on all lines of the board interrupt. */
void core_start_interrupts(void);

static inline void core_disable_interrupts(void) { __asm volatile("cpsid i" ::: "memory"); }
static inline void core_enable_interrupts(void) { __asm volatile("cpsie i" ::: "memory"); }
/* Until an interrupt is pending, disabled or not. */
static inline void core_sleep(void) { __asm volatile("wfi" ::: "memory"); }

#endif
