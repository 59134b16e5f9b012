// Whatever lies in memory: a program of random codes, with traps, interrupts and stores into itself, comes to the same
// state however its run is divided, and whatever has been decoded before.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/unit/platform/machine/iss/any_timing.h"
#include "tests/unit/platform/machine/iss/riscv/core_fixture.h"

namespace ftlab::iss::riscv {
namespace {

constexpr std::uint64_t kInstructions = 30 * 97;
constexpr std::uint64_t kEvery = 97;  ///< instructions between changes of interrupt lines
constexpr std::array<Interrupt, 3> kLines = {Interrupt::software, Interrupt::timer, Interrupt::external};

/// How a run is divided.
enum class Division { whole, single_steps, pieces, forgetful, with_breakpoints };

class AnyBytesTest : public CoreTest {
 protected:
  using Engine = std::mt19937_64;

  static std::uint32_t draw(Engine& engine, std::uint32_t below) {
    return static_cast<std::uint32_t>(engine() % below);
  }

  /// An opcode of the instruction set, mostly; an address of memory or a device in most registers.
  void prepare(std::uint64_t seed) {
    Engine engine(seed);
    constexpr std::uint32_t kOpcodes[] = {0x37, 0x17, 0x6f, 0x67, 0x63, 0x03, 0x23,
                                          0x13, 0x33, 0x2f, 0x0f, 0x73, 0x13, 0x33};
    for (std::uint32_t at = 0; at < kMemoryBytes; at += 4) {
      auto code = static_cast<std::uint32_t>(engine());
      if (draw(engine, 8) < 5) code = (code & ~0x7fU) | kOpcodes[draw(engine, std::size(kOpcodes))];
      if ((code & 0x7f) == 0x33) code &= 0x03ffffff;
      if ((code & 0x7f) == 0x6f) code &= 0x003fffff;  // near
      set_ram_word(at, code);
    }
    configure(
        {.reset_pc = kRam, .misaligned_done = draw(engine, 2) == 0, .timing = any_timing(seed, kRam, kMemoryBytes)});
    bus = NotingBus();
    for (unsigned number = 1; number < 32; ++number) {
      const std::uint32_t base = draw(engine, 8) == 0 ? kDevice : kRam;
      set_x(number, base + draw(engine, kMemoryBytes));
    }
    set_csr(csr::kMtvec, kRam + (draw(engine, kMemoryBytes) & ~2U));
    set_csr(csr::kMie, 0x888);
    set_csr(csr::kMstatus, 8);
    std::uint32_t accesses = 0;
    bus.on_access = [this, accesses]() mutable {
      bus.value = 0x9e3779b9 * ++accesses;
      core->stall(accesses % 7);
      if (accesses % 4 == 0) core->end_run();
      if (accesses % 7 == 0) core->set_line(kLines[accesses % 3], accesses % 2 == 0);
    };
  }

  std::uint64_t budget_of(Division division, Engine& engine, std::uint64_t left) const {
    switch (division) {
      case Division::whole:
      case Division::forgetful:
        return left;
      case Division::single_steps:
        return 1;
      default:
        return std::min<std::uint64_t>(left, 1 + draw(engine, 20));
    }
  }

  /// Everything that can be seen at the end.
  std::vector<std::uint32_t> state_after(std::uint64_t seed, Division division) {
    prepare(seed);
    Engine events(seed + 1);
    Engine engine(seed + 2);
    while (core->instructions() < kInstructions) {
      const std::uint64_t next = (core->instructions() / kEvery + 1) * kEvery;
      if (division == Division::forgetful) core->code_changed(kRam, kMemoryBytes);
      if (division == Division::with_breakpoints) {
        const std::uint32_t address = kRam + (draw(engine, kMemoryBytes) & ~1U);
        if (draw(engine, 2) == 0) core->set_breakpoint(address);
      }
      const CoreStop stop = core->run(budget_of(division, engine, next - core->instructions()));
      const bool held = stop.reason == StopReason::lockup || stop.reason == StopReason::wait_for_interrupt;
      if (stop.reason == StopReason::lockup) core->set_pc(kRam + (draw(events, kMemoryBytes) & ~1U));
      if (held || core->instructions() == next) core->set_line(kLines[draw(events, 3)], draw(events, 2) == 0);
      if (stop.reason == StopReason::wait_for_interrupt) core->set_pc(stop.pc);
      EXPECT_LE(core->instructions(), next);
    }
    std::vector<std::uint32_t> state;
    for (unsigned number = 0; number <= 32; ++number) state.push_back(core->reg(number));
    for (const std::uint32_t number : {csr::kMstatus, csr::kMie, csr::kMip, csr::kMtvec, csr::kMscratch, csr::kMepc,
                                       csr::kMcause, csr::kMtval, csr::kMinstret, csr::kMcycle, csr::kMcountinhibit}) {
      state.push_back(csr_value(number));
    }
    for (std::uint32_t at = 0; at < kMemoryBytes; at += 4) state.push_back(ram_word(at));
    state.push_back(static_cast<std::uint32_t>(core->cycles()));
    return state;
  }
};

TEST_F(AnyBytesTest, a_program_of_any_bytes_comes_to_one_state) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto expected = state_after(seed, Division::single_steps);
    const auto accesses = bus.accesses;
    for (const Division division :
         {Division::whole, Division::pieces, Division::forgetful, Division::with_breakpoints}) {
      ASSERT_EQ(state_after(seed, division), expected) << seed << ", division " << static_cast<int>(division);
      ASSERT_EQ(bus.accesses, accesses) << seed;
    }
  }
}

}  // namespace
}  // namespace ftlab::iss::riscv
