// From reset to the program: the vector table, static data, the system timer.
// Knows the core, the linker script and where a program says that it has ended; nothing of flash.
#include <cstdint>

#include "firmware/target/clock.h"
#include "firmware/target/handover.h"
#include "firmware/target/queue_registers.h"

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

/// The program has ended, which it should not.
[[noreturn]] void halt(const char* why) {
  ftlab::target::queue_register(ftlab::hw::host_queue::reg::kExit) =
      static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(why));
  for (;;) __asm volatile("wfi");
}

[[noreturn]] void fault_handler() { halt("a fault of the core"); }

/// A call through an object not yet or no longer there: the program is broken.
[[noreturn]] void __cxa_pure_virtual() { halt("a call of a function that an object lacks"); }

void system_tick_handler() { ftlab::target::Clock::tick(); }

/// Waking the core is all that the lines have to do: whoever waits reads the status again.
void line_handler() {}

[[noreturn]] void reset_handler() {
  const std::uint32_t* from = &data_image;
  for (std::uint32_t* to = &data_begin; to != &data_end; ++to) *to = *from++;
  for (std::uint32_t* to = &bss_begin; to != &bss_end; ++to) *to = 0;
  for (Constructor* constructor = &init_array_begin; constructor != &init_array_end; ++constructor) (*constructor)();
  ftlab::target::Clock::start(ftlab::target::handed_over().core_hz);
  ftlab_main();
  halt("the program has returned from ftlab_main");
}

struct VectorTable {
  std::uint32_t* stack;
  void (*exceptions[15])();
  void (*interrupts[2])();
};

[[gnu::section(".vectors"), gnu::used]] const VectorTable kVectors = {
    &stack_top,
    {reset_handler, fault_handler, fault_handler, fault_handler, fault_handler, fault_handler, nullptr, nullptr,
     nullptr, nullptr, fault_handler, fault_handler, nullptr, fault_handler, system_tick_handler},
    {line_handler, line_handler},
};

}  // extern "C"
