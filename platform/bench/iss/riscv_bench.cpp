// Instructions that the RISC-V core executes a CPU second: loops in registers, loops over memory, and one that accesses
// the bus at every 18th instruction. `instructions` is the figure to compare.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "platform/machine/iss/riscv/riscv_core.h"

namespace ftlab::iss::riscv {
namespace {

constexpr std::uint32_t kRom = 0;
constexpr std::uint32_t kRam = 0x20000000;
constexpr std::uint32_t kRegister = 0x40000000;
constexpr std::size_t kBytes = 64 * 1024;

/// Registers without an effect.
class QuietBus final : public Bus {
 public:
  bool read(std::uint32_t, unsigned, std::uint32_t& value) override {
    value = ++accesses_;
    return true;
  }
  bool write(std::uint32_t, unsigned, std::uint32_t) override { return true; }

 private:
  std::uint32_t accesses_ = 0;
};

struct Loop {
  const char* name;
  std::vector<std::uint16_t> code;
};

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

void run_loop(benchmark::State& state, const Loop& loop) {
  std::vector<std::uint8_t> rom(kBytes);
  std::vector<std::uint8_t> ram(kBytes);
  std::memcpy(rom.data(), loop.code.data(), loop.code.size() * sizeof loop.code[0]);
  QuietBus bus;
  RiscvCore core({.reset_pc = kRom}, {{kRom, kBytes, rom.data(), false, true}, {kRam, kBytes, ram.data(), true, true}},
                 bus);
  // As between two edges of a timer that fires every millisecond.
  constexpr std::uint64_t kBudget = 64'000;
  for ([[maybe_unused]] auto _ : state) {
    if (core.run(kBudget).reason != StopReason::budget) state.SkipWithError("the loop has ended");
  }
  state.counters["instructions"] =
      benchmark::Counter(static_cast<double>(core.instructions()), benchmark::Counter::kIsRate);
}

}  // namespace
}  // namespace ftlab::iss::riscv

int main(int argc, char** argv) {
  using namespace ftlab::iss::riscv;
  for (const Loop& loop : kLoops) {
    benchmark::RegisterBenchmark(loop.name, [&loop](benchmark::State& state) { run_loop(state, loop); });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
