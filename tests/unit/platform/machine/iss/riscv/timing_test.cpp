// Cycles of instructions, and what flash adds.
#include <gtest/gtest.h>

#include "tests/unit/platform/machine/iss/riscv/core_fixture.h"

namespace ftlab::iss::riscv {
namespace {

class TimingTest : public CoreTest {
 protected:
  void with(const CoreTiming& timing) { configure({.reset_pc = kRom, .timing = timing}); }

  /// Of the first of these instructions.
  std::uint64_t cycles_of(Code code) {
    place(kRom, {code, assembler::addi(0, 0, 0), assembler::addi(0, 0, 0)});
    core->code_changed(kRom, kMemoryBytes);
    core->set_pc(kRom);
    set_x(1, kRam);
    set_x(2, 0xFFFF);
    set_x(3, 3);
    const std::uint64_t before = core->cycles();
    core->run(1);
    return core->cycles() - before;
  }
};

TEST_F(TimingTest, an_instruction_takes_the_cycles_of_its_class) {
  using namespace assembler;
  with({.alu = 1,
        .multiply = 3,
        .multiply_long = 4,
        .divide_least = 2,
        .divide_most = 34,
        .load = 6,
        .store = 7,
        .data_wait = 1,
        .branch_not_taken = 9,
        .branch_taken = 12,
        .jump = 13,
        .call = 14,
        .jump_register = 15,
        .special = 16,
        .fence = 17});
  EXPECT_EQ(cycles_of(addi(4, 1, 1)), 1U);
  EXPECT_EQ(cycles_of(mul(4, 2, 3)), 3U);
  EXPECT_EQ(cycles_of(mulhu(4, 2, 3)), 4U);
  EXPECT_EQ(cycles_of(divu(4, 2, 3)), 2U + 15);
  EXPECT_EQ(cycles_of(divu(4, 3, 2)), 2U);
  EXPECT_EQ(cycles_of(lw(4, 0, 1)), 7U);
  EXPECT_EQ(cycles_of(sw(4, 0, 1)), 8U);
  EXPECT_EQ(cycles_of(beq(2, 3, 8)), 9U);
  EXPECT_EQ(cycles_of(bne(2, 3, 8)), 12U);
  EXPECT_EQ(cycles_of(jal(0, 8)), 13U);
  EXPECT_EQ(cycles_of(jal(4, 8)), 14U);
  EXPECT_EQ(cycles_of(jalr(0, 1, 0)), 15U);
  EXPECT_EQ(cycles_of(csrrw(4, csr::kMscratch, 2)), 16U);
}

TEST_F(TimingTest, exceptions_take_time_to_enter_and_to_leave) {
  with({.jump_register = 5, .exception_entry = 20, .exception_exit = 24});
  place(kHandler, {assembler::mret});
  place(kRom, {assembler::addi(4, 0, 1)});
  set_csr(csr::kMtvec, kHandler);
  set_csr(csr::kMie, 0x888);
  set_csr(csr::kMstatus, 8);
  core->set_line(Interrupt::external, true);
  core->run(1);
  core->set_line(Interrupt::external, false);
  EXPECT_EQ(core->pc(), kRom);
  EXPECT_EQ(core->cycles(), 20U + 5 + 24);
}

TEST_F(TimingTest, mcycle_counts_cycles_and_minstret_instructions) {
  using namespace assembler;
  with({.load = 6});
  set_x(1, kRam);
  execute({lw(4, 0, 1), lw(4, 0, 1), csrrs(5, csr::kMcycle, 0), csrrs(6, csr::kMinstret, 0)});
  EXPECT_EQ(x(5), 12U);
  EXPECT_EQ(x(6), 3U);
}

TEST_F(TimingTest, a_run_ends_before_what_would_begin_too_late) {
  using namespace assembler;
  with({.multiply = 3});
  place(kRom, {mul(4, 2, 3), mul(4, 2, 3), mul(4, 2, 3), jal(0, -12)});
  core->end_at(4);
  EXPECT_EQ(core->run(100).reason, StopReason::budget);
  EXPECT_EQ(core->instructions(), 2U);
  EXPECT_EQ(core->cycles(), 6U);
}

TEST_F(TimingTest, code_and_data_wait_for_lines_of_flash) {
  using namespace assembler;
  with({.flash = {.base = kRom, .size = kMemoryBytes, .miss = 10, .line_bytes = 16, .sets = 2}});
  place(kRom, {addi(0, 0, 0), addi(0, 0, 0), addi(0, 0, 0), addi(0, 0, 0), jal(0, -16)});
  core->run(4);
  EXPECT_EQ(core->cycles(), 14U);
  core->run(1);
  EXPECT_EQ(core->cycles(), 25U);
  core->run(1000);
  EXPECT_EQ(core->cycles(), 1025U);

  place(kRom, {lw(4, 0, 1), jal(0, -4)});
  core->code_changed(kRom, kMemoryBytes);
  core->set_pc(kRom);
  set_x(1, kRom + 0x100);
  core->run(2);
  const std::uint64_t before = core->cycles();
  core->run(100);
  EXPECT_EQ(core->cycles() - before, 100U + 2 * 50 * 10);
}

TEST_F(TimingTest, a_run_ends_before_what_begins_too_late_as_its_line_is_missing) {
  using namespace assembler;
  with({.flash = {.base = kRom, .size = kMemoryBytes, .miss = 10, .line_bytes = 16, .sets = 2}});
  for (std::uint32_t at = kRom; at < kRom + 32; at += 4) place(at, {addi(4, 4, 1)});
  core->end_at(20);
  EXPECT_EQ(core->run(100).reason, StopReason::budget);
  EXPECT_EQ(core->instructions(), 4U);
  EXPECT_EQ(core->cycles(), 24U);
  core->end_at(25);
  core->run(100);
  EXPECT_EQ(x(4), 5U);
  EXPECT_EQ(core->cycles(), 25U);
}

TEST_F(TimingTest, a_breakpoint_comes_before_the_line_of_its_instruction) {
  using namespace assembler;
  with({.flash = {.base = kRom, .size = kMemoryBytes, .miss = 10, .line_bytes = 16, .sets = 2}});
  place(kRom, {jal(0, 0x40)});
  place(kRom + 0x40, {addi(0, 0, 0)});
  core->set_breakpoint(kRom + 0x40);
  EXPECT_EQ(core->run(100).reason, StopReason::breakpoint);
  EXPECT_EQ(core->cycles(), 11U);
  core->run(1);
  EXPECT_EQ(core->cycles(), 22U);
}

}  // namespace
}  // namespace ftlab::iss::riscv
