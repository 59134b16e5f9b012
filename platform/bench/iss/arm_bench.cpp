// Instructions that the ARMv7-M core executes a CPU second: loops in registers, loops over memory, one that accesses
// the bus at every 18th instruction, and one that is interrupted and sleeps. `instructions` is the figure to compare.
#include "platform/bench/iss/loops.h"
#include "platform/machine/iss/arm/cortex_m.h"

namespace ftlab::iss::arm {
namespace {

constexpr std::uint32_t kCode = 0x100;

// Vectors, and code at kCode; each handler is at 0x80 and returns.
struct Machine : LoopMachine {
  explicit Machine(const Loop& loop) : LoopMachine(loop, kCode), core({}, regions(), bus) {
    for (std::uint32_t number = 0; number < 32; ++number) {
      const std::uint32_t vector = number == 0 ? kRam + kBytes : (number == 1 ? kCode : 0x80) | 1;
      std::memcpy(&rom[4 * number], &vector, sizeof vector);
    }
    const std::uint16_t returns = 0x4770;  // bx lr
    std::memcpy(&rom[0x80], &returns, sizeof returns);
    core.reset();
  }

  CortexM core;
};

const Loop kLoops[] = {
    {"in_registers",
     {
         0x3001,  // adds r0, #1
         0x4041,  // eors r1, r0
         0x00C3,  // lsls r3, r0, #3
         0x18D2,  // adds r2, r2, r3
         0x0849,  // lsrs r1, r1, #1
         0x42A0,  // cmp r0, r4
         0xD1F8,  // bne.n 0
     }},
    {"copies_words",
     {
         0xF04F, 0x5000,  // mov.w r0, #536870912
         0x4904,          // ldr r1, [pc, #16]
         0xEA4F, 0x0201,  // mov.w r2, r1
         0xF850, 0x3B04,  // ldr.w r3, [r0], #4
         0xF841, 0x3B04,  // str.w r3, [r1], #4
         0x4290,          // cmp r0, r2
         0xD1F9,          // bne.n a
         0xE7F3,          // b.n 0
         0x1000, 0x2000,  // literal
     }},
    {"compares_bytes",
     {
         0xF04F, 0x5000,  // mov.w r0, #536870912
         0x4905,          // ldr r1, [pc, #20]
         0xEA4F, 0x0201,  // mov.w r2, r1
         0xF810, 0x3B01,  // ldrb.w r3, [r0], #1
         0xF811, 0x4B01,  // ldrb.w r4, [r1], #1
         0x42A3,          // cmp r3, r4
         0xD1F4,          // bne.n 0
         0x4290,          // cmp r0, r2
         0xD1F7,          // bne.n a
         0xE7F1,          // b.n 0
         0x1000, 0x2000,  // literal
     }},
    {"accesses_the_bus",
     {
         0xF04F, 0x4180,  // mov.w r1, #1073741824
         0x880B,          // ldrh r3, [r1, #0]
         0x3001,          // adds r0, #1
         0x4042,          // eors r2, r0
         0x3001,          // adds r0, #1
         0x4042,          // eors r2, r0
         0x3001,          // adds r0, #1
         0x4042,          // eors r2, r0
         0x3001,          // adds r0, #1
         0x4042,          // eors r2, r0
         0x3001,          // adds r0, #1
         0x4042,          // eors r2, r0
         0x3001,          // adds r0, #1
         0x4042,          // eors r2, r0
         0x3001,          // adds r0, #1
         0x4042,          // eors r2, r0
         0x3001,          // adds r0, #1
         0x4042,          // eors r2, r0
         0xE7ED,          // b.n 4
     }},
};
const Loop kSleeps = {"interrupt_and_wfi",
                      {
                          0x4802,          // ldr r0, [pc, #8]
                          0x2101,          // movs r1, #1
                          0x6001,          // str r1, [r0, #0]
                          0xBF30,          // wfi
                          0xE7FD,          // b.n 6
                          0x0000,          // .short 0x0000
                          0xE100, 0xE000,  // literal
                      }};

void run_loop(benchmark::State& state, const Loop& loop) {
  Machine machine(loop);
  count_instructions(state, machine.core);
}

// A round: the line rises, the handler runs, the core sleeps again.
void run_sleeps(benchmark::State& state) {
  Machine machine(kSleeps);
  for ([[maybe_unused]] auto _ : state) {
    machine.core.set_interrupt(0, true);
    machine.core.set_interrupt(0, false);
    if (machine.core.run(1000).reason != StopReason::wait_for_interrupt) {
      state.SkipWithError("the core does not sleep");
    }
  }
}

}  // namespace
}  // namespace ftlab::iss::arm

int main(int argc, char** argv) {
  using namespace ftlab::iss::arm;
  benchmark::RegisterBenchmark(kSleeps.name, run_sleeps);
  return ftlab::iss::run_benchmarks(argc, argv, kLoops, run_loop);
}
