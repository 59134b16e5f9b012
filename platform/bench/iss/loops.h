// Loops that instruction-set cores run for benchmarks: code, a bus without devices, and the figure to compare.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "platform/machine/iss/core_stop.h"
#include "platform/machine/iss/memory.h"

namespace ftlab::iss {

inline constexpr std::uint32_t kRam = 0x20000000;
inline constexpr std::size_t kBytes = 64 * 1024;  ///< of ROM, at 0, and of RAM

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

/// Memories that hold the code, and the bus.
struct LoopMachine {
  LoopMachine(const Loop& loop, std::uint32_t at) : rom(kBytes), ram(kBytes) {
    std::memcpy(&rom[at], loop.code.data(), loop.code.size() * sizeof loop.code[0]);
  }
  std::vector<MemoryRegion> regions() {
    return {{0, kBytes, rom.data(), false, true}, {kRam, kBytes, ram.data(), true, true}};
  }

  QuietBus bus;
  std::vector<std::uint8_t> rom, ram;
};

/// `instructions` a CPU second of a loop that never ends.
void count_instructions(benchmark::State& state, auto& core) {
  // As between two edges of a timer that fires every millisecond.
  constexpr std::uint64_t kBudget = 64'000;
  for ([[maybe_unused]] auto _ : state) {
    if (core.run(kBudget).reason != StopReason::budget) state.SkipWithError("the loop has ended");
  }
  state.counters["instructions"] =
      benchmark::Counter(static_cast<double>(core.instructions()), benchmark::Counter::kIsRate);
}

/// What a benchmark program does: `run_loop(state, loop)` for each, and what else was registered.
template <class RunLoop>
int run_benchmarks(int argc, char** argv, std::span<const Loop> loops, RunLoop run_loop) {
  for (const Loop& loop : loops)
    benchmark::RegisterBenchmark(loop.name, [&loop, run_loop](benchmark::State& state) { run_loop(state, loop); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace ftlab::iss
