// Instructions that the RISC-V core executes a CPU second: loops in registers, loops over memory, one that accesses
// the bus at every 18th instruction, and one that is interrupted and sleeps. `instructions` is the figure to compare.
#include "platform/bench/iss/loops.h"
#include "platform/machine/iss/riscv/riscv_core.h"

namespace ftlab::iss::riscv {
namespace {

const Loop kLoops[] = {
    {"in_registers",
     {
         0x0505,          // c.addi a0, 1
         0x8da9,          // c.xor a1, a0
         0x9713, 0x0035,  // slli a4, a1, 3
         0x963a,          // c.add a2, a4
         0x8185,          // c.srli a1, 1
         0x1ae3, 0xfed5,  // bne a0, a3, -12
     }},
    {"copies_words",
     {
         0x0537, 0x2000,  // lui a0, 0x20000
         0x15b7, 0x2000,  // lui a1, 0x20001
         0x2637, 0x2000,  // lui a2, 0x20002
         0x4198,          // c.lw a4, 0(a1)
         0xc118,          // c.sw a4, 0(a0)
         0x0591,          // c.addi a1, 4
         0x0511,          // c.addi a0, 4
         0x9ce3, 0xfec5,  // bne a1, a2, -8
         0xb7e5,          // c.j -24
     }},
    {"compares_bytes",
     {
         0x0537, 0x2000,  // lui a0, 0x20000
         0x15b7, 0x2000,  // lui a1, 0x20001
         0x1637, 0x2000,  // lui a2, 0x20001
         0x4703, 0x0005,  // lbu a4, 0(a0)
         0xc783, 0x0005,  // lbu a5, 0(a1)
         0x0505,          // c.addi a0, 1
         0x0585,          // c.addi a1, 1
         0x1463, 0x00f7,  // bne a4, a5, 8
         0x18e3, 0xfec5,  // bne a0, a2, -16
         0xb7c5,          // c.j -32
     }},
    {"accesses_the_bus",
     {
         0x05b7, 0x4000,                                          // lui a1, 0x40000
         0xd703, 0x0005,                                          // lhu a4, 0(a1)
         0x0505, 0x0505, 0x0505, 0x0505, 0x0505, 0x0505, 0x0505,  // c.addi a0, 1
         0x0505, 0x0505, 0x0505, 0x0505, 0x0505, 0x0505, 0x0505,  // 16 of them
         0x0505, 0x0505,                                          //
         0xbff1,                                                  // c.j -36
     }},
};

const Loop kSleeps = {"interrupt_and_wfi",
                      {
                          0x0297, 0x0000,  // auipc t0, 0x0
                          0x8293, 0x0202,  // addi t0, t0, 32
                          0x9073, 0x3052,  // csrw mtvec, t0
                          0x6285,          // c.lui t0, 1
                          0x8293, 0x8002,  // addi t0, t0, -2048
                          0x9073, 0x3042,  // csrw mie, t0
                          0x6073, 0x3004,  // csrsi mstatus, 8
                          0x0073, 0x1050,  // wfi
                          0xbff5,          // c.j -4
                          0x0073, 0x3020,  // mret
                      }};

void run_loop(benchmark::State& state, const Loop& loop) {
  LoopMachine machine(loop, 0);
  RiscvCore core({.reset_pc = 0}, machine.regions(), machine.bus);
  count_instructions(state, core);
}

// A round: the line rises, the handler begins, the line falls, the handler returns, the core sleeps again.
void run_sleeps(benchmark::State& state) {
  LoopMachine machine(kSleeps, 0);
  RiscvCore core({.reset_pc = 0}, machine.regions(), machine.bus);
  (void)core.run(1000);
  for ([[maybe_unused]] auto _ : state) {
    core.set_line(Interrupt::external, true);
    const bool entered = core.run(1).reason == StopReason::budget;
    core.set_line(Interrupt::external, false);
    if (!entered || core.run(1000).reason != StopReason::wait_for_interrupt) {
      state.SkipWithError("the core does not sleep");
    }
  }
  if (core.exceptions() < static_cast<std::uint64_t>(state.iterations()))
    state.SkipWithError("nothing has interrupted");
}

}  // namespace
}  // namespace ftlab::iss::riscv

int main(int argc, char** argv) {
  using namespace ftlab::iss::riscv;
  benchmark::RegisterBenchmark(kSleeps.name, run_sleeps);
  return ftlab::iss::run_benchmarks(argc, argv, kLoops, run_loop);
}
