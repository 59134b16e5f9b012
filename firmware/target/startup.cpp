// From reset to the program: the vector table, static data, the system timer.
// Knows the core and the linker script; nothing of flash.
#include <cstdint>

#include "firmware/target/clock.h"

extern "C" {

/// The program; main.cpp.
void ftlab_main();

extern std::uint32_t stack_top;
extern std::uint32_t data_image;
extern std::uint32_t data_begin;
extern std::uint32_t data_end;
extern std::uint32_t bss_begin;
extern std::uint32_t bss_end;
using Constructor = void (*)();
extern Constructor init_array_begin;
extern Constructor init_array_end;

[[noreturn]] void halt() {
  for (;;) __asm volatile("wfi");
}

/// A call through an object not yet or no longer there: the program is broken.
[[noreturn]] void __cxa_pure_virtual() { halt(); }

void system_tick_handler() { ftlab::target::Clock::tick(); }

/// Waking the core is all the ready line has to do: whoever waits reads the status again.
void ready_handler() {}

[[noreturn]] void reset_handler() {
  const std::uint32_t* from = &data_image;
  for (std::uint32_t* to = &data_begin; to != &data_end; ++to) *to = *from++;
  for (std::uint32_t* to = &bss_begin; to != &bss_end; ++to) *to = 0;
  for (Constructor* constructor = &init_array_begin; constructor != &init_array_end; ++constructor) (*constructor)();
  ftlab::target::Clock::start();
  ftlab_main();
  halt();
}

struct VectorTable {
  std::uint32_t* stack;
  void (*exceptions[15])();
  void (*interrupts[1])();
};

[[gnu::section(".vectors"), gnu::used]] const VectorTable kVectors = {
    &stack_top,
    {reset_handler, halt, halt, halt, halt, halt, nullptr, nullptr, nullptr, nullptr, halt, halt, nullptr, halt,
     system_tick_handler},
    {ready_handler},
};

}  // extern "C"
