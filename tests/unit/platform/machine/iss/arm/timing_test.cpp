// Cycles of instructions, one after the other from flash that does not wait, and what flash adds.
#include <gtest/gtest.h>

#include "tests/unit/platform/machine/iss/arm/system_machine.h"

namespace ftlab::iss::arm {
namespace {

/// Each class has a time of its own.
CortexMConfig config() {
  CortexMConfig config;
  config.timing = {.alu = 1,
                   .multiply = 3,
                   .multiply_long = 4,
                   .divide_least = 2,
                   .divide_most = 34,
                   .load = 6,
                   .load_in_row = 5,
                   .store = 7,
                   .multiple = 8,
                   .multiple_register = 2,
                   .branch_not_taken = 9,
                   .branch_taken = 12,
                   .jump = 13,
                   .call = 14,
                   .jump_register = 15,
                   .special = 16,
                   .exception_entry = 20,
                   .exception_chain = 22,
                   .exception_exit = 24};
  return config;
}

struct Row {
  Code code;
  std::uint64_t cycles;  ///< of the first instruction
};

std::uint64_t cycles_of(SystemMachine& m, const Code& code) {
  m.main(code);
  m.core.set_pc(SystemMachine::kMain);
  m.core.set_reg(1, SystemMachine::kRam);
  m.core.set_reg(2, 0xFFFF);
  m.core.set_reg(3, 3);
  m.core.set_reg(14, SystemMachine::kMain + 5);
  const std::uint64_t before = m.core.cycles();
  m.core.run(1);
  return m.core.cycles() - before;
}

TEST(Timing, an_instruction_takes_the_cycles_of_its_class) {
  const Row rows[] = {
      {{"adds r0, #1; nop", {0x3001, 0xBF00}}, 1},
      {{"muls r0, r2; nop", {0x4350, 0xBF00}}, 3},
      {{"mla r0, r2, r3, r1; nop", {0xFB02, 0x1003, 0xBF00}}, 3},
      {{"umull r0, r4, r2, r3; nop", {0xFBA2, 0x0403, 0xBF00}}, 4},
      {{"ldr r0, [r1]; nop", {0x6808, 0xBF00}}, 6},
      {{"ldr r0, [r1]; ldrb r4, [r1]", {0x6808, 0x780C}}, 5},
      {{"ldr r0, [r1]; str r4, [r1]", {0x6808, 0x600C}}, 5},
      {{"ldr r0, [r1]; stmia r1!, {r2, r3}", {0x6808, 0xC10C}}, 6},
      {{"str r0, [r1]; nop", {0x6008, 0xBF00}}, 7},
      {{"ldmia r1!, {r4, r5, r6}; nop", {0xC970, 0xBF00}}, 14},
      {{"strd r2, r3, [r1]; nop", {0xE9C1, 0x2300, 0xBF00}}, 12},
      {{"cmp; beq, not taken: nop first", {0xBF00, 0xBF00}}, 1},
      {{"b .+4", {0xE000, 0xBF00, 0xBF00}}, 13},
      {{"bl .+4", {0xF000, 0xF800, 0xBF00}}, 14},
      {{"bx lr; nop; nop", {0x4770, 0xBF00, 0xBF00}}, 15},
      {{"mrs r0, primask", {0xF3EF, 0x8010, 0xBF00}}, 16},
      // 0xFFFF by 3: a quotient of up to 15 bits.
      {{"udiv r0, r2, r3; nop", {0xFBB2, 0xF0F3, 0xBF00}}, 2 + 15},
      {{"udiv r0, r3, r2; nop", {0xFBB3, 0xF0F2, 0xBF00}}, 2},
  };
  for (const Row& row : rows) {
    SystemMachine m(config());
    EXPECT_EQ(cycles_of(m, row.code), row.cycles) << row.code.text;
  }
}

TEST(Timing, a_branch_costs_more_where_it_is_taken) {
  for (const bool taken : {false, true}) {
    SystemMachine m(config());
    m.main({"cbz r0, .+6; nop; nop; nop", {0xB108, 0xBF00, 0xBF00, 0xBF00}});
    m.core.set_reg(0, taken ? 0 : 1);
    const std::uint64_t before = m.core.cycles();
    m.core.run(1);
    EXPECT_EQ(m.core.cycles() - before, taken ? 12U : 9U);
    EXPECT_EQ(m.core.pc(), SystemMachine::kMain + (taken ? 6 : 2));
  }
}

TEST(Timing, a_pop_of_the_pc_loads_and_jumps) {
  SystemMachine m(config());
  m.core.set_reg(13, SystemMachine::kStack);
  m.set_word(SystemMachine::kStack, 0);
  m.set_word(SystemMachine::kStack + 4, SystemMachine::kMain | 1);
  EXPECT_EQ(cycles_of(m, {"pop {r0, pc}", {0xBD01}}), 8U + 2 * 2 + 14);
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain);
}

TEST(Timing, exceptions_take_time_to_enter_to_follow_and_to_leave) {
  SystemMachine m(config());
  m.write(kIser, 3);
  m.main({"nop; nop", {0xBF00, 0xBF00}});
  const std::uint64_t begin = m.core.cycles();
  m.core.set_interrupt(0, true);
  m.core.set_interrupt(0, false);
  m.core.run(1);  // bx lr
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain);
  EXPECT_EQ(m.core.cycles() - begin, 20U + 15 + 24);

  const std::uint64_t chained = m.core.cycles();
  for (const unsigned line : {0U, 1U}) {
    m.core.set_interrupt(line, true);
    m.core.set_interrupt(line, false);
  }
  m.core.run(2);
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain);
  EXPECT_EQ(m.core.cycles() - chained, 20U + 15 + 22 + 15 + 24);
}

TEST(Timing, a_run_ends_before_what_would_begin_too_late) {
  SystemMachine m(config());
  m.main({"muls r0, r2; muls r0, r2; muls r0, r2; b .-6", {0x4350, 0x4350, 0x4350, 0xE7FB}});
  const std::uint64_t begin = m.core.cycles();
  const std::uint64_t executed = m.core.instructions();
  m.core.end_at(begin + 4);
  EXPECT_EQ(m.core.run(100).reason, StopReason::budget);
  EXPECT_EQ(m.core.instructions() - executed, 2U);
  EXPECT_EQ(m.core.cycles() - begin, 6U);
  m.core.end_at(begin + 7);
  m.core.run(100);
  EXPECT_EQ(m.core.instructions() - executed, 3U);
}

CortexMConfig with_flash() {
  CortexMConfig config;
  config.timing.flash = {.base = 0, .size = SystemMachine::kFlashBytes, .miss = 10, .line_bytes = 16, .sets = 2};
  return config;
}

TEST(Timing, code_waits_once_for_each_line_of_flash) {
  SystemMachine m(with_flash());
  // Ten instructions of two bytes in two lines.
  m.main({"9 nops, b back", {0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xE7F5}});
  std::uint64_t before = m.core.cycles();
  m.core.run(8);
  EXPECT_EQ(m.core.cycles() - before, 18U);
  m.core.run(2);
  EXPECT_EQ(m.core.cycles() - before, 30U);
  before = m.core.cycles();
  const std::uint64_t misses = m.core.flash_misses();
  m.core.run(1000);
  EXPECT_EQ(m.core.cycles() - before, 1000U);
  EXPECT_EQ(m.core.flash_misses(), misses);
}

TEST(Timing, a_run_ends_before_what_begins_too_late_as_its_line_is_missing) {
  SystemMachine m(with_flash());
  m.main({"9 nops, b back", {0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xE7F5}});
  const std::uint64_t begin = m.core.cycles();
  const std::uint64_t executed = m.core.instructions();
  m.core.end_at(begin + 20);
  EXPECT_EQ(m.core.run(100).reason, StopReason::budget);
  EXPECT_EQ(m.core.instructions() - executed, 8U);
  EXPECT_EQ(m.core.cycles() - begin, 28U);
  m.core.end_at(begin + 29);
  m.core.run(100);
  EXPECT_EQ(m.core.instructions() - executed, 9U);
  EXPECT_EQ(m.core.cycles() - begin, 29U);
}

TEST(Timing, data_in_flash_share_the_lines_of_code) {
  SystemMachine m(with_flash());
  m.main({"ldr r0, [r1]; b .-2", {0x6808, 0xE7FD}});
  m.core.set_reg(1, 0x100);
  m.core.run(2);
  const std::uint64_t before = m.core.cycles();
  m.core.run(100);
  // Code and data lie in the same set of one line: each waits for the other one, every time.
  EXPECT_EQ(m.core.cycles() - before, 100U + 2 * 50 * 10);
}

}  // namespace
}  // namespace ftlab::iss::arm
