// ARMv7-M: where the core finds its stack and its handlers.
#include <cstdint>

#include "firmware/target/clock.h"
#include "firmware/target/startup.h"

extern "C" {

extern std::uint32_t stack_top;

[[noreturn]] void reset_handler() { start_program(); }

[[noreturn]] void fault_handler() { halt("a fault of the core"); }

void system_tick_handler() { ftlab::target::Clock::tick(); }

/// Waking the core is all that the lines have to do: whoever waits reads the status again.
void line_handler() {}

struct VectorTable {
  std::uint32_t* stack;
  void (*exceptions[15])();
  void (*interrupts[3])();
};

[[gnu::section(".vectors"), gnu::used]] const VectorTable kVectors = {
    &stack_top,
    {reset_handler, fault_handler, fault_handler, fault_handler, fault_handler, fault_handler, nullptr, nullptr,
     nullptr, nullptr, fault_handler, fault_handler, nullptr, fault_handler, system_tick_handler},
    {line_handler, line_handler, line_handler},
};

}  // extern "C"
