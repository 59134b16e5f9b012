// Where run() ends: budgets, requests of the bus and breakpoints; and code that changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/unit/platform/machine/iss/riscv/core_fixture.h"

namespace ftlab::iss::riscv {
namespace {

using namespace assembler;

class RunTest : public CoreTest {
 protected:
  /// Counts in a1 for ever: three instructions around.
  void place_loop() { place(kRom, {addi(a1, a1, 1), addi(a2, a2, 2), jal(zero, -8)}); }
};

TEST_F(RunTest, a_budget_is_used_exactly_whatever_its_size) {
  place_loop();
  std::uint64_t sum = 0;
  for (std::uint64_t budget = 0; budget < 20; ++budget) {
    EXPECT_EQ(core->run(budget).reason, StopReason::budget);
    sum += budget;
    ASSERT_EQ(core->instructions(), sum);
    EXPECT_EQ(x(a1), (sum + 2) / 3);
    EXPECT_EQ(x(a2), 2 * ((sum + 1) / 3));
    EXPECT_EQ(core->pc(), kRom + 4 * (sum % 3));
  }
}

TEST_F(RunTest, a_long_straight_piece_of_code_is_one_of_many_blocks) {
  constexpr std::uint32_t kCount = 200;
  for (std::uint32_t i = 0; i < kCount; ++i) place(kRom + 4 * i, {addi(a0, a0, 1)});
  place(kRom + 4 * kCount, {jal(zero, -static_cast<Imm>(4 * kCount))});
  for (const std::uint64_t budget : {1U, 63U, 64U, 65U, 127U, 128U, 129U, 200U, 201U, 202U, 1000U}) {
    core->reset();
    core->run(budget);
    EXPECT_EQ(x(a0), budget - budget / (kCount + 1)) << budget;
    EXPECT_EQ(core->pc(), kRom + 4 * (budget % (kCount + 1))) << budget;
  }
}

TEST_F(RunTest, state_does_not_depend_on_how_a_run_is_divided) {
  place(kRom, {addi(a0, a0, 7), slli(a1, a0, 3), xor_(a2, a2, a1), andi(a3, a2, 4), beq(a3, zero, 8), addi(a4, a4, 1),
               bltu(a0, a5, -24), addi(a0, zero, 0), jal(zero, -32)});
  const auto state_after = [&](std::uint64_t piece) {
    core->reset();
    set_x(a5, 900);
    for (std::uint64_t left = 10'000; left > 0;) {
      const std::uint64_t budget = std::min(piece, left);
      core->run(budget);
      left -= budget;
    }
    std::vector<std::uint64_t> state{core->instructions()};
    for (unsigned number = 0; number <= 32; ++number) state.push_back(core->reg(number));
    return state;
  };
  const auto whole = state_after(10'000);
  for (const std::uint64_t piece : {1U, 2U, 3U, 5U, 8U, 13U, 999U}) EXPECT_EQ(state_after(piece), whole) << piece;
}

TEST_F(RunTest, the_bus_ends_a_run_behind_its_instruction) {
  set_x(a0, kDevice);
  place(kRom, {addi(a1, zero, 1), lw(a2, 0, a0), addi(a3, zero, 3), jal(zero, -12)});
  std::uint64_t seen_count = 0;
  std::uint32_t seen_pc = 0;
  bus.value = 99;
  bus.on_access = [&] {
    seen_count = core->instructions();
    seen_pc = core->pc();
    core->end_run();
  };
  EXPECT_EQ(core->run(1000), (CoreStop{StopReason::requested, kRom + 8, 0}));
  EXPECT_EQ(core->instructions(), 2U);
  EXPECT_EQ(seen_count, 1U);
  EXPECT_EQ(seen_pc, kRom + 4);
  EXPECT_EQ(x(a2), 99U);
  EXPECT_EQ(x(a3), 0U);
  EXPECT_EQ(core->run(1000).reason, StopReason::requested);
  EXPECT_EQ(core->instructions(), 6U);
  EXPECT_EQ(bus.accesses.size(), 2U) << "each access is made once";
}

TEST_F(RunTest, a_store_ends_a_run_as_well) {
  set_x(a0, kDevice);
  place(kRom, {sb(a1, 0, a0), addi(a3, zero, 3)});
  bus.on_access = [&] { core->end_run(); };
  EXPECT_EQ(core->run(1000), (CoreStop{StopReason::requested, kRom + 4, 0}));
  EXPECT_EQ(core->instructions(), 1U);
}

TEST_F(RunTest, accesses_in_a_shortened_block_are_counted_alike) {
  set_x(a0, kDevice);
  place(kRom, {nop, nop, lw(a2, 0, a0), nop, nop, jal(zero, -20)});
  std::vector<std::uint64_t> counts;
  bus.on_access = [&] { counts.push_back(core->instructions()); };
  for (int i = 0; i < 8; ++i) core->run(4);
  EXPECT_EQ(counts, (std::vector<std::uint64_t>{2, 8, 14, 20, 26}));
}

TEST_F(RunTest, a_breakpoint_ends_a_run_before_its_instruction) {
  place_loop();
  core->set_breakpoint(kRom + 4);
  EXPECT_EQ(core->run(100), (CoreStop{StopReason::breakpoint, kRom + 4, 0}));
  EXPECT_EQ(core->instructions(), 1U);
  EXPECT_EQ(x(a2), 0U);
  EXPECT_EQ(core->run(100), (CoreStop{StopReason::breakpoint, kRom + 4, 0}))
      << "it does not hold the run that starts there";
  EXPECT_EQ(core->instructions(), 4U);
  EXPECT_EQ(core->run(2).reason, StopReason::budget);
  EXPECT_EQ(core->pc(), kRom);
  core->clear_breakpoint(kRom + 4);
  EXPECT_EQ(core->run(100).reason, StopReason::budget);
}

TEST_F(RunTest, a_breakpoint_at_the_first_instruction_of_a_loop_holds_each_time_around) {
  place_loop();
  core->set_breakpoint(kRom);
  for (std::uint64_t i = 1; i < 4; ++i) {
    EXPECT_EQ(core->run(100).reason, StopReason::breakpoint);
    EXPECT_EQ(core->instructions(), 3 * i);
  }
  EXPECT_EQ(core->run(3).reason, StopReason::budget) << "it is not reached before the next run";
}

TEST_F(RunTest, a_breakpoint_may_be_set_while_the_bus_is_accessed) {
  set_x(a0, kDevice);
  place(kRom, {lw(a1, 0, a0), nop, nop, jal(zero, -12)});
  core->run(100);
  bus.on_access = [&] { core->set_breakpoint(kRom + 8); };
  EXPECT_EQ(core->run(100), (CoreStop{StopReason::breakpoint, kRom + 8, 0}));
  EXPECT_EQ(core->instructions(), 102U);
}

TEST_F(RunTest, a_breakpoint_where_no_instruction_is_does_not_hide_the_fault) {
  set_csr(csr::kMtvec, kHandler);
  place_half(kRam + kMemoryBytes - 2, 0x0513);
  for (const std::uint32_t at : {kRam + kMemoryBytes - 2, kNothing}) {
    core->set_breakpoint(at);
    for (int i = 0; i < 2; ++i) {
      core->set_pc(at);
      EXPECT_EQ(core->run(1).reason, StopReason::budget);
      EXPECT_EQ(csr_value(csr::kMepc), at);
      EXPECT_EQ(core->pc(), kHandler);
    }
  }
}

TEST_F(RunTest, a_breakpoint_at_the_handler_of_an_interrupt_holds_though_one_was_stepped_over) {
  place_loop();
  place(kHandler, {nop, mret});
  set_csr(csr::kMtvec, kHandler);
  set_csr(csr::kMie, 0x80);
  set_csr(csr::kMstatus, 8);
  core->set_breakpoint(kRom);
  core->set_breakpoint(kHandler);
  core->set_line(Interrupt::timer, true);
  EXPECT_EQ(core->run(100), (CoreStop{StopReason::breakpoint, kHandler, 0}));
  core->set_line(Interrupt::timer, false);
  EXPECT_EQ(core->run(100), (CoreStop{StopReason::breakpoint, kRom, 0})) << "its instruction has not been executed yet";
  EXPECT_EQ(core->instructions(), 2U);
}

TEST_F(RunTest, code_in_memory_that_the_program_overwrites_is_seen_at_once) {
  const std::uint32_t code = kRam + 256;
  place(code, {addi(a0, a0, 1), sw(a1, 8, s0), addi(a0, a0, 16), jalr(zero, ra, 0)});
  place(kRom, {jalr(ra, s0, 0), jalr(ra, s0, 0), ebreak});
  set_x(s0, code);
  set_x(a1, addi(a0, a0, 32));
  core->set_pc(code);
  set_x(ra, kRom);
  core->run(3);
  EXPECT_EQ(x(a0), 33U) << "though it follows in the same block";
  EXPECT_EQ(core->pc(), code + 12);
  // From elsewhere, after it has been executed.
  place(kRom, {sh(a1, 0, s0), sh(a2, 2, s0), jalr(ra, s0, 0)});
  const Code written = addi(a0, zero, 5);
  set_x(a1, written & 0xffff);
  set_x(a2, written >> 16);
  core->set_pc(kRom);
  core->run(4);
  EXPECT_EQ(x(a0), 5U);
}

TEST_F(RunTest, a_byte_of_an_instruction_is_enough) {
  const std::uint32_t code = kRam + 256;
  place(code, {addi(a0, zero, 1), jal(zero, -4)});
  core->set_pc(code);
  core->run(10);
  EXPECT_EQ(x(a0), 1U);
  place(kRom, {sb(a1, 3, s0), jalr(zero, s0, 0)});
  set_x(s0, code);
  set_x(a1, 0x7f);
  core->set_pc(kRom);
  core->run(10);
  EXPECT_EQ(x(a0), 0x7f1U) << "its lowest four bits lie in the byte before";
}

TEST_F(RunTest, data_beside_code_may_be_written) {
  const std::uint32_t code = kRam + 256;
  place(code, {addi(a0, a0, 1), sw(a0, 12, s0), jal(zero, -8)});
  set_x(s0, code);
  core->set_pc(code);
  core->run(30);
  EXPECT_EQ(ram_word(256 + 12), 10U);
}

TEST_F(RunTest, a_loader_or_debugger_says_what_it_has_changed) {
  place_loop();
  core->run(30);
  place(kRom, {addi(a1, a1, 100)});
  core->code_changed(kRom, 2);
  core->run(3);
  EXPECT_EQ(x(a1), 110U);
}

TEST_F(RunTest, fence_i_sees_code_that_nobody_has_reported) {
  place(kRom, {addi(a0, a0, 1), fence_i, jal(zero, -8)});
  core->run(3);
  place(kRom, {addi(a0, a0, 100)});
  core->run(3);
  EXPECT_EQ(x(a0), 101U);
}

TEST_F(RunTest, a_fence_does_nothing) {
  execute({fence, addi(a0, zero, 1)});
  EXPECT_EQ(x(a0), 1U);
}

TEST_F(RunTest, more_code_than_is_kept_decoded_is_decoded_again) {
  // 40,000 blocks of two instructions, three times over; more than all that the core keeps.
  constexpr std::uint32_t kBlockCount = 40'000;
  std::vector<std::uint32_t> memory(2 * kBlockCount + 4);
  for (std::uint32_t i = 0; i < kBlockCount; ++i) {
    memory[2 * i] = addi(a0, a0, 1);
    memory[2 * i + 1] = jal(zero, 4);
  }
  memory[2 * kBlockCount] = lui(t0, 0x10000);
  memory[2 * kBlockCount + 1] = jalr(zero, t0, 0);
  RiscvCore big({.reset_pc = 0x10000000},
                {{0x10000000, static_cast<std::uint32_t>(4 * memory.size()),
                  reinterpret_cast<std::uint8_t*>(memory.data()), true, true}},
                bus);
  big.run(3 * (2 * kBlockCount + 2));
  EXPECT_EQ(big.reg(a0), 3 * kBlockCount);
  EXPECT_EQ(big.pc(), 0x10000000U);
}

TEST_F(RunTest, a_block_that_was_forgotten_while_another_is_decoded_leaves_no_trace) {
  // The first block that was decoded jumps to 40,000 others, each of which returns to it.
  constexpr std::uint32_t kBlockCount = 40'000;
  constexpr std::uint32_t kBase = 0x10000000;
  std::vector<std::uint32_t> memory{lw(a1, 0, s0), addi(s0, s0, 4), jalr(ra, a1, 0), nop};
  for (std::uint32_t i = 0; i < kBlockCount; ++i) {
    memory.push_back(addi(a0, a0, 1));
    memory.push_back(jal(zero, -static_cast<Imm>(4 * (memory.size()))));
  }
  const auto table = static_cast<std::uint32_t>(4 * memory.size());
  for (std::uint32_t i = 0; i < kBlockCount; ++i) memory.push_back(kBase + 16 + 8 * i);
  const auto size = static_cast<std::uint32_t>(4 * memory.size());
  RiscvCore big({.reset_pc = kBase}, {{kBase, size, reinterpret_cast<std::uint8_t*>(memory.data()), true, true}}, bus);
  big.set_reg(s0, kBase + table);
  big.run(5 * kBlockCount);
  EXPECT_EQ(big.reg(a0), kBlockCount);
  EXPECT_EQ(big.reg(s0), kBase + size);
  EXPECT_EQ(big.pc(), kBase);
}

TEST_F(RunTest, registers_have_the_debugger_s_numbers) {
  set_csr(csr::kMscratch, 5);
  EXPECT_EQ(core->reg(32), kRom);
  core->set_reg(32, kRom + 9);
  EXPECT_EQ(core->pc(), kRom + 8);
  EXPECT_EQ(core->reg(65 + 0x340), 5U);
  EXPECT_EQ(core->reg(33), 0U);
  EXPECT_EQ(core->reg(65 + 0x7ff), 0U);
}

}  // namespace
}  // namespace ftlab::iss::riscv
