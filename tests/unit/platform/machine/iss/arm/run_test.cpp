// Budgets, ends of runs, code that changes, breakpoints, and what a device sees of the core that accesses it.
#include "tests/unit/platform/machine/iss/arm/system_machine.h"

namespace ftlab::iss::arm {
namespace {

TEST(Run, executes_exactly_its_budget) {
  const Code loop = {"adds r0, #1; eors r1, r0; lsls r2, r0, #3; cmp r0, r5; bne .-8; movs r0, #0; b .-12",
                     {0x3001, 0x4041, 0x00C2, 0x42A8, 0xD1FA, 0x2000, 0xE7F8}};
  for (std::uint64_t budget = 0; budget < 60; ++budget) {
    SystemMachine whole;
    SystemMachine single;
    for (SystemMachine* m : {&whole, &single}) {
      m->main(loop);
      m->core.set_reg(5, 3);
    }
    EXPECT_EQ(whole.core.run(budget).reason, StopReason::budget);
    for (std::uint64_t i = 0; i < budget; ++i) {
      single.core.run(1);
    }
    EXPECT_EQ(whole.core.instructions(), budget);
    EXPECT_EQ(whole.core.cycles(), budget);
    EXPECT_EQ(whole.core.pc(), single.core.pc()) << budget;
    for (unsigned i = 0; i < 17; ++i) {
      EXPECT_EQ(whole.core.reg(i), single.core.reg(i)) << budget;
    }
  }
}

TEST(Run, a_long_program_without_a_jump_is_executed_to_its_end) {
  SystemMachine m;
  std::vector<std::uint16_t> code(300, 0x3001);  // adds r0, #1
  m.main({"", code});
  m.core.set_reg(0, 0);
  m.core.run(300);
  EXPECT_EQ(m.core.reg(0), 300U);
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain + 600);
}

TEST(Run, a_region_ends_in_front_of_what_does_not_fit) {
  SystemMachine m({.stop_at_hard_fault = true});
  m.put(0x3FFC, {"adds r0, #1", {0x3001}});
  m.put(0x3FFE, {"the first half of an instruction", {0xF04F}});
  m.core.set_pc(0x3FFC);
  m.core.set_reg(0, 0);
  const CoreStop stop = m.core.run(5);
  EXPECT_EQ(stop.reason, StopReason::bus_error);
  EXPECT_EQ(stop.pc, 0x3FFEU);
  EXPECT_EQ(m.core.reg(0), 1U);
  EXPECT_EQ(m.core.instructions(), 1U);
}

TEST(Run, code_may_change_itself) {
  // In RAM: the store replaces the instruction behind it, which has been executed before.
  SystemMachine m;
  m.put(SystemMachine::kRam, {"movs r0, #1; strh r1, [r2]; movs r0, #1; b .-6", {0x2001, 0x8011, 0x2001, 0xE7FB}});
  m.core.set_pc(SystemMachine::kRam);
  m.core.set_reg(1, 0x2000);  // movs r0, #0
  m.core.set_reg(2, SystemMachine::kRam + 0x100);
  m.core.run(8);
  EXPECT_EQ(m.core.reg(0), 1U);
  m.core.set_reg(2, SystemMachine::kRam + 4);
  m.core.run(3);
  EXPECT_EQ(m.core.reg(0), 0U);
  EXPECT_EQ(m.core.pc(), SystemMachine::kRam + 6);
  // The target of the jump, where a decoded block begins.
  m.core.set_reg(1, 0x2007);  // movs r0, #7
  m.core.set_reg(2, SystemMachine::kRam);
  m.core.run(6);
  EXPECT_EQ(m.core.pc(), SystemMachine::kRam + 2);
  EXPECT_EQ(m.core.reg(0), 7U);
}

TEST(Run, memory_without_code_is_stored_to_up_to_its_end) {
  SystemMachine m;
  const std::uint32_t end = SystemMachine::kData + SystemMachine::kDataBytes;
  m.main({"str r1, [r0]; strh r1, [r0, #4]; strb r1, [r0, #7]; stmia r0!, {r1, r2}; stmia r0!, {r1, r2}",
          {0x6001, 0x8081, 0x71C1, 0xC006, 0xC006}});
  m.core.set_reg(0, end - 12);
  m.core.set_reg(1, 0x12345678);
  m.core.set_reg(2, 0x9ABCDEF0);
  m.core.run(3);
  EXPECT_EQ(m.word(end - 12), 0x12345678U);
  EXPECT_EQ(m.word(end - 8), 0x78005678U);
  m.core.run(1);
  EXPECT_EQ(m.word(end - 8), 0x9ABCDEF0U);
  EXPECT_EQ(m.core.reg(0), end - 4);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), kHardFault) << "the second word has no memory";
  EXPECT_EQ(m.word(end - 4), 0x12345678U);
}

TEST(Run, code_may_be_changed_by_others) {
  SystemMachine m;
  m.main({"movs r0, #1; b .-2", {0x2001, 0xE7FD}});
  m.core.run(4);
  m.main({"movs r0, #2", {0x2002}});
  m.core.run(1);
  EXPECT_EQ(m.core.reg(0), 2U);
  m.core.run(1);
  // A device that changes it while it is accessed.
  m.main({"ldr r1, [r3]; movs r0, #2", {0x6819, 0x2002}});
  m.core.set_reg(3, SystemMachine::kDevice);
  m.on_access = [&] { m.put(SystemMachine::kMain + 2, {"movs r0, #3", {0x2003}}); };
  m.core.set_pc(SystemMachine::kMain);
  m.core.run(2);
  EXPECT_EQ(m.core.reg(0), 3U);
}

TEST(Run, more_code_than_is_kept_decoded_is_executed) {
  std::vector<std::uint8_t> flash(1U << 20);
  SystemMachine m;
  CortexM core({}, {{0, 1U << 20, flash.data(), false, true}, {SystemMachine::kRam, 0x1000, m.ram.data(), true, false}},
               m);
  // Jumps alone, each to the next instruction.
  for (std::uint32_t address = 0x100; address < flash.size(); address += 2) {
    const std::uint16_t code = 0xE7FF;
    std::memcpy(&flash[address], &code, sizeof code);
  }
  const std::uint32_t vectors[] = {SystemMachine::kStack, 0x101};
  std::memcpy(flash.data(), vectors, sizeof vectors);
  core.reset();
  for (int round = 0; round < 2; ++round) {
    core.set_pc(0x100);
    EXPECT_EQ(core.run(500'000).reason, StopReason::budget);
    EXPECT_EQ(core.pc(), 0x100 + 1'000'000U);
  }
}

TEST(Run, a_device_may_end_it_behind_the_instruction) {
  for (const Code& code : {Code{"nop; ldr r0, [r1]; nop; nop", {0xBF00, 0x6808, 0xBF00, 0xBF00}},
                           Code{"nop; ldm r2!, {r0}; nop; nop", {0xBF00, 0xCA01, 0xBF00, 0xBF00}},
                           Code{"nop; ldr.w r0, [r1], #4; nop; nop", {0xBF00, 0xF851, 0x0B04, 0xBF00, 0xBF00}}}) {
    SystemMachine m;
    m.main(code);
    m.core.set_reg(1, SystemMachine::kDevice);
    m.core.set_reg(2, SystemMachine::kDevice);
    m.on_access = [&] { m.core.end_run(); };
    const CoreStop stop = m.core.run(10);
    EXPECT_EQ(stop.reason, StopReason::requested);
    EXPECT_EQ(m.core.reg(0), 0x5AU) << code.text;
    EXPECT_EQ(m.core.instructions(), 2U) << code.text;
    EXPECT_EQ(m.accesses.size(), 1U);
    m.on_access = {};
    m.core.run(2);
    EXPECT_EQ(m.core.instructions(), 4U);
    EXPECT_EQ(m.accesses.size(), 1U) << "the access is not repeated";
  }
}

TEST(Run, an_instruction_that_loads_pc_from_a_device_is_completed) {
  SystemMachine m;
  m.main({"nop; ldr pc, [r1]", {0xBF00, 0xF8D1, 0xF000}});
  m.core.set_reg(1, SystemMachine::kDevice);
  m.on_access = [&] { m.core.end_run(); };
  const CoreStop stop = m.core.run(10);
  EXPECT_EQ(stop.reason, StopReason::requested);
  EXPECT_EQ(stop.pc, 0x5AU);
  EXPECT_EQ(m.core.instructions(), 2U);
}

TEST(Run, an_interrupt_that_a_device_raises_comes_behind_the_access) {
  SystemMachine m;
  m.write(kIser, 1);
  m.main({"nop; str r0, [r1]; movs r0, #1; movs r0, #2", {0xBF00, 0x6008, 0x2001, 0x2002}});
  m.put(m.interrupt(0), {"movs r7, #1; bx lr", {0x2701, 0x4770}});
  m.core.set_reg(1, SystemMachine::kDevice);
  m.on_access = [&] { m.core.set_interrupt(0, true); };
  const std::uint64_t before = m.core.instructions();
  m.core.run(3);
  EXPECT_EQ(m.core.reg(7), 1U);
  EXPECT_EQ(m.word(m.core.reg(13) + 24), SystemMachine::kMain + 4);
  EXPECT_EQ(m.core.instructions() - before, 3U);
}

TEST(Run, a_device_sees_how_many_instructions_have_been_executed) {
  SystemMachine m;
  m.main({"nop; nop; ldr r0, [r1]; nop; str r0, [r1]; b .-10", {0xBF00, 0xBF00, 0x6808, 0xBF00, 0x6008, 0xE7F9}});
  m.core.set_reg(1, SystemMachine::kDevice);
  std::vector<std::uint64_t> seen;
  m.on_access = [&] {
    seen.push_back(m.core.instructions());
    seen.push_back(m.core.cycles());
    m.core.stall(5);
  };
  m.core.run(12);
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{2, 2, 4, 9, 8, 18, 10, 25}));
  EXPECT_EQ(m.core.instructions(), 12U);
  EXPECT_EQ(m.core.cycles(), 32U);
}

TEST(Run, an_access_that_is_not_aligned_comes_to_the_bus_in_parts) {
  class Words : public Bus {
   public:
    bool read(std::uint32_t address, unsigned size, std::uint32_t& value) override {
      log.push_back(address << 4 | size);
      value = address & 0xFF;
      return true;
    }
    bool write(std::uint32_t address, unsigned size, std::uint32_t value) override {
      log.push_back(address << 4 | size);
      written.push_back(value);
      return true;
    }
    std::vector<std::uint32_t> log, written;
  } bus;
  SystemMachine m;
  m.main({"ldr r0, [r1]; str r2, [r1]", {0x6808, 0x600A}});
  CortexM core({}, {{0, 0x4000, m.flash.data(), false, true}, {SystemMachine::kRam, 0x1000, m.ram.data(), true, false}},
               bus);
  core.reset();
  core.set_reg(1, 0x60000001);
  core.set_reg(2, 0x12345678);
  core.run(2);
  const std::uint32_t base = 0x60000000U << 4;
  EXPECT_EQ(bus.log,
            (std::vector<std::uint32_t>{base + 0x11, base + 0x22, base + 0x41, base + 0x11, base + 0x22, base + 0x41}));
  EXPECT_EQ(core.reg(0), 0x04000201U);
  EXPECT_EQ(bus.written, (std::vector<std::uint32_t>{0x78, 0x3456, 0x12}));
}

TEST(Run, ends_in_front_of_a_breakpoint) {
  SystemMachine m;
  m.main({"adds r0, #1; adds r1, #1; adds r2, #1; b .-6", {0x3001, 0x3101, 0x3201, 0xE7FB}});
  m.core.run(8);
  m.core.set_breakpoint(SystemMachine::kMain + 2);
  for (unsigned i = 0; i < 3; ++i) {
    const std::uint32_t before = m.core.reg(2);
    EXPECT_EQ(m.core.run(100), (CoreStop{StopReason::breakpoint, SystemMachine::kMain + 2, 0}));
    EXPECT_EQ(m.core.reg(2), before + (i == 0 ? 0 : 1));
  }
  m.core.clear_breakpoint(SystemMachine::kMain + 2);
  EXPECT_EQ(m.core.run(100).reason, StopReason::budget);
}

TEST(Run, a_breakpoint_on_a_loop_of_one_instruction_is_met_each_time) {
  SystemMachine m;
  m.main({"b .", {0xE7FE}});
  m.core.set_breakpoint(SystemMachine::kMain);
  EXPECT_EQ(m.core.run(100).reason, StopReason::breakpoint);
  EXPECT_EQ(m.core.instructions(), 1U) << "the first instruction of a run is executed";
}

TEST(Run, a_return_under_a_condition_goes_back_or_on_each_time) {
  SystemMachine m;
  m.main({"it eq; bxeq lr; nop", {0xBF08, 0x4770, 0xBF00}});
  constexpr std::uint32_t kEqual = 0x41000000;
  constexpr std::uint32_t kUnequal = 0x01000000;
  const auto goes_to = [&m](std::uint32_t psr, std::uint32_t to) {
    m.core.set_reg(16, psr);
    m.core.set_reg(14, SystemMachine::kMain + to + 1);
    m.core.set_pc(SystemMachine::kMain);
    m.core.run(2);
    return m.core.pc() - SystemMachine::kMain;
  };
  for (int twice = 0; twice < 2; ++twice) {
    for (const std::uint32_t to : {0x40U, 0x60U, 0x80U}) {
      EXPECT_EQ(goes_to(kEqual, to), to);
      EXPECT_EQ(goes_to(kUnequal, to), 4U);
    }
  }
}

TEST(Run, a_breakpoint_in_an_it_block_is_met) {
  SystemMachine m;
  m.main({"itt eq; addeq r0, #1; addeq r1, #1; nop", {0xBF04, 0x3001, 0x3101, 0xBF00}});
  m.core.set_reg(16, kPsrT | 1U << 30);
  m.core.set_reg(0, 0);
  m.core.set_reg(1, 0);
  m.core.set_breakpoint(SystemMachine::kMain + 4);
  EXPECT_EQ(m.core.run(100), (CoreStop{StopReason::breakpoint, SystemMachine::kMain + 4, 0}));
  EXPECT_EQ(m.core.reg(0), 1U);
  m.core.run(1);
  EXPECT_EQ(m.core.reg(1), 1U);
}

TEST(Run, flags_are_read_and_written_by_instructions) {
  SystemMachine m;
  m.main({"msr apsr_nzcvq, r0; mrs r1, apsr; msr apsr_g, r0; mrs r2, apsr; mrs r3, ipsr; mrs r4, xpsr",
          {0xF380, 0x8800, 0xF3EF, 0x8100, 0xF380, 0x8400, 0xF3EF, 0x8200, 0xF3EF, 0x8305, 0xF3EF, 0x8403}});
  m.core.set_reg(0, 0xA80F00FF);
  m.core.run(6);
  EXPECT_EQ(m.core.reg(1), 0xA8000000U);
  EXPECT_EQ(m.core.reg(2), 0xA80F0000U);
  EXPECT_EQ(m.core.reg(3), 0U);
  EXPECT_EQ(m.core.reg(4), 0xA80F0000U);
}

}  // namespace
}  // namespace ftlab::iss::arm
