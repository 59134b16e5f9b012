// From a core that has a stack to the program: static data and the clock.
// Knows the linker script and where a program says that it has ended; neither the core nor flash.
#include "firmware/target/startup.h"

#include <cstdint>

#include "firmware/target/clock.h"
#include "firmware/target/core.h"
#include "firmware/target/handover.h"
#include "firmware/target/queue_registers.h"

extern "C" {

/// The program; main.cpp.
void ftlab_main();

extern std::uint32_t data_image;
extern std::uint32_t data_begin;
extern std::uint32_t data_end;
extern std::uint32_t bss_begin;
extern std::uint32_t bss_end;
using Constructor = void (*)();
extern Constructor init_array_begin;
extern Constructor init_array_end;

[[noreturn]] void halt(const char* why) {
  ftlab::target::queue_register(ftlab::hw::host_queue::reg::kExit) =
      static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(why));
  for (;;) ftlab::target::core::wait_for_interrupt();
}

/// A call through an object not yet or no longer there: the program is broken.
[[noreturn]] void __cxa_pure_virtual() { halt("a call of a function that an object lacks"); }

[[noreturn]] void start_program() {
  const std::uint32_t* from = &data_image;
  for (std::uint32_t* to = &data_begin; to != &data_end; ++to) *to = *from++;
  for (std::uint32_t* to = &bss_begin; to != &bss_end; ++to) *to = 0;
  for (Constructor* constructor = &init_array_begin; constructor != &init_array_end; ++constructor) (*constructor)();
  ftlab::target::Clock::start(ftlab::target::handed_over().core_hz);
  ftlab_main();
  halt("the program has returned from ftlab_main");
}

}  // extern "C"
