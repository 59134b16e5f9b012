/* From a core that has a stack to main(). Knows the linker script. */
#include "board.h"
#include "core.h"

extern uint32_t data_image[], data_begin[], data_end[], bss_begin[], bss_end[];
int main(void);

/* Ends the run with a text. */
_Noreturn void end_with(const char* why) {
  QUEUE->exit = (uint32_t)(uintptr_t)why;
  for (;;) core_sleep();
}

_Noreturn void start(void) {
  const uint32_t* from = data_image;
  for (uint32_t* to = data_begin; to != data_end; ++to) *to = *from++;
  for (uint32_t* to = bss_begin; to != bss_end; ++to) *to = 0;
  core_start_interrupts();
  main();
  end_with("main has returned");
}
