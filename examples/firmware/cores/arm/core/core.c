/* ARMv7-M: the table of vectors, and the interrupt controller. */
#include "core.h"

#include "board.h"

#define REGISTER(address) (*(volatile uint32_t*)(address))
#define NVIC_ENABLE REGISTER(0xE000E100u)
#define CONFIGURATION_AND_CONTROL REGISTER(0xE000ED14u)
#define DIVISION_BY_ZERO_IS_A_FAULT (1u << 4)

extern uint32_t stack_top[];
_Noreturn void start(void);
_Noreturn void end_with(const char* why);

void reset(void) { start(); }

/* The simulator ends the run where a fault happens, and says where; a real core comes here. */
static void fault(void) { end_with("a fault of the core"); }

/* To wake the core is all that a line has to do: the controller forgets it by itself when the handler begins. */
static void line(void) {}

struct vectors {
  uint32_t* stack;
  void (*exceptions[15])(void);
  void (*interrupts[3])(void);
};
__attribute__((section(".begin"), used)) static const struct vectors vectors = {
    stack_top,
    {reset, fault, fault, fault, fault, fault, 0, 0, 0, 0, fault, fault, 0, fault, fault},
    {[INTERRUPT_PART_READY] = line, [INTERRUPT_QUEUE] = line, [INTERRUPT_DMA] = line},
};

void core_start_interrupts(void) {
  CONFIGURATION_AND_CONTROL |= DIVISION_BY_ZERO_IS_A_FAULT;
  NVIC_ENABLE = 1u << INTERRUPT_PART_READY | 1u << INTERRUPT_QUEUE | 1u << INTERRUPT_DMA;
}
