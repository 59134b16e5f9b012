// The timer of the core, exact to the instruction, and sleep.
#include "tests/unit/platform/machine/iss/arm/system_machine.h"

namespace ftlab::iss::arm {
namespace {

constexpr std::uint32_t kEnable = 1, kException = 2, kCounted = 1U << 16;

// A timer that is started by the second instruction, and a loop.
void start_timer(SystemMachine& m, std::uint32_t reload) {
  m.write(kSystRvr, reload);
  m.write(kSystCvr, 0);
  m.main({"nop; str r1, [r0]; nop; b .-2", {0xBF00, 0x6001, 0xBF00, 0xE7FD}});
  m.core.set_reg(0, kSystCsr);
  m.core.set_reg(1, kEnable | kException);
}

TEST(SysTick, its_exception_comes_with_the_cycle_in_which_it_reaches_zero) {
  SystemMachine m;
  start_timer(m, 9);
  const std::uint64_t before = m.core.instructions();
  m.put(m.handler(kSysTick), {"add r7, #1; nop; bx lr", {0xF107, 0x0701, 0xBF00, 0x4770}});
  // Enabled in the cycle of the second instruction; loaded with the next one; zero after nine more.
  m.core.run(2 + 9);
  EXPECT_EQ(m.core.reg(7), 0U);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), kSysTick);
  EXPECT_EQ(m.core.instructions() - before, 12U);
  for (std::uint64_t tick = 2; tick < 30; ++tick) {
    m.core.run(9);
    EXPECT_EQ(m.core.reg(7), tick - 1);
    m.core.run(1);
    EXPECT_EQ(m.core.reg(7), tick) << "one in ten instructions";
  }
}

TEST(SysTick, counts_down_and_says_that_it_has_counted) {
  SystemMachine m;
  m.write(kSystRvr, 100);
  m.write(kSystCvr, 0);
  m.write(kSystCsr, kEnable);
  const std::uint32_t first = m.read(kSystCvr);
  EXPECT_EQ(first, 100U);
  EXPECT_EQ(m.read(kSystCvr), 99U);
  EXPECT_EQ(m.read(kSystCsr), kEnable | 4);
  m.main({"b .", {0xE7FE}});
  m.core.run(96);
  EXPECT_EQ(m.read(kSystCvr), 1U);
  EXPECT_EQ(m.read(kSystCvr), 0U);
  EXPECT_EQ(m.read(kSystCvr), 100U);
  EXPECT_EQ(m.read(kSystCsr), kEnable | 4 | kCounted);
  EXPECT_EQ(m.read(kSystCsr), kEnable | 4) << "reading clears it";
  EXPECT_EQ(m.ipsr(), 0U) << "no exception was asked for";
}

TEST(SysTick, stops_and_goes_on) {
  SystemMachine m;
  m.write(kSystRvr, 100);
  m.write(kSystCvr, 0);
  m.write(kSystCsr, kEnable);
  EXPECT_EQ(m.read(kSystCvr), 100U);
  m.write(kSystCsr, 0);
  EXPECT_EQ(m.read(kSystCvr), 99U);
  EXPECT_EQ(m.read(kSystCvr), 99U);
  EXPECT_EQ(m.core.cycles_to_timer(), SysTick::kNever);
  m.write(kSystCsr, kEnable);
  EXPECT_EQ(m.read(kSystCvr), 98U);
  m.write(kSystCvr, 5);
  EXPECT_EQ(m.read(kSystCvr), 100U) << "any write clears the counter";
}

TEST(SysTick, a_reload_value_of_zero_lets_it_rest) {
  SystemMachine m;
  m.write(kSystRvr, 3);
  m.write(kSystCvr, 0);
  m.write(kSystCsr, kEnable | kException);
  m.write(kSystRvr, 0);
  m.main({"b .", {0xE7FE}});
  m.put(m.handler(kSysTick), {"add r7, #1; bx lr", {0xF107, 0x0701, 0x4770}});
  m.core.run(100);
  EXPECT_EQ(m.core.reg(7), 1U);
  EXPECT_EQ(m.core.cycles_to_timer(), SysTick::kNever);
  EXPECT_EQ(m.read(kSystCvr), 0U);
  m.write(kSystRvr, 3);
  m.core.run(5);
  EXPECT_EQ(m.core.reg(7), 2U);
}

// Milliseconds by the handler, the rest by the counter, read until both fit: as firmware reads a clock.
void run_clock(SystemMachine& m, std::uint64_t piece, std::uint32_t reload) {
  m.write(kSystRvr, reload);
  m.write(kSystCvr, 0);
  m.write(kSystCsr, kEnable | kException);
  m.put(m.handler(kSysTick), {"ldr r3, [r6]; adds r3, #1; str r3, [r6]; bx lr", {0x6833, 0x3301, 0x6033, 0x4770}});
  m.main(
      {"ldr r0, [r6]; ldr r1, [r5]; ldr r2, [r6]; cmp r0, r2; bne .-8; subs r1, r4, r1; mla r1, r0, r7, r1; stm r8!, "
       "{r1}; b .-22",
       {0x6830, 0x6829, 0x6832, 0x4290, 0xD1FA, 0x1A61, 0xFB00, 0x1107, 0xF848, 0x1B04, 0xE7F3}});
  m.core.set_reg(4, reload);
  m.core.set_reg(5, kSystCvr);
  m.core.set_reg(6, SystemMachine::kRam + 0x900);
  m.core.set_reg(7, reload + 1);
  m.core.set_reg(8, SystemMachine::kRam);
  m.set_word(SystemMachine::kRam + 0x900, 0);
  while (m.core.reg(8) < SystemMachine::kRam + 0x600) {
    ASSERT_EQ(m.core.run(piece).reason, StopReason::budget);
  }
}

TEST(SysTick, a_clock_made_of_it_never_runs_backwards) {
  for (const std::uint32_t reload : {30U, 37U, 41U, 64U}) {
    SystemMachine whole;
    run_clock(whole, 1000, reload);
    std::uint32_t last = 0;
    for (std::uint32_t address = SystemMachine::kRam; address < SystemMachine::kRam + 0x600; address += 4) {
      const std::uint32_t now = whole.word(address);
      ASSERT_GE(now, last) << reload << " at " << address;
      ASSERT_LT(now - last, 100U) << reload;
      last = now;
    }
    SystemMachine pieces;
    run_clock(pieces, 1, reload);
    ASSERT_TRUE(std::equal(pieces.ram.begin(), pieces.ram.begin() + 0x600, whole.ram.begin()))
        << "results do not depend on how a run is divided";
  }
}

TEST(SysTick, time_that_an_access_takes_is_time) {
  SystemMachine m;
  m.write(kSystRvr, 99);
  m.write(kSystCvr, 0);
  m.main({"str r1, [r0]; ldr r2, [r3]; nop; b .-2", {0x6001, 0x681A, 0xBF00, 0xE7FD}});
  m.put(m.handler(kSysTick), {"nop; bx lr", {0xBF00, 0x4770}});
  m.core.set_reg(0, kSystCsr);
  m.core.set_reg(1, kEnable | kException);
  m.core.set_reg(3, SystemMachine::kDevice);
  m.on_access = [&] { m.core.stall(200); };
  const std::uint64_t cycles = m.core.cycles();
  const std::uint64_t instructions = m.core.instructions();
  m.core.run(3);
  EXPECT_EQ(m.ipsr(), kSysTick) << "behind the access, in front of the next instruction";
  EXPECT_EQ(m.word(m.core.reg(13) + 24), SystemMachine::kMain + 4);
  EXPECT_EQ(m.core.instructions() - instructions, 3U);
  EXPECT_EQ(m.core.cycles() - cycles, 203U);
  EXPECT_EQ(m.core.reg(2), 0x5AU);
}

TEST(SysTick, time_that_the_entry_to_an_exception_takes_is_time) {
  for (const bool by_instruction : {true, false}) {
    SystemMachine m;
    m.write(kIser, 1);
    m.main({"svc #0", {0xDF00}});
    m.put(m.interrupt(0), {"nop", {0xBF00}});
    m.core.set_reg(13, SystemMachine::kDevice + 0x100);
    m.on_access = [&] { m.core.stall(3); };
    if (!by_instruction) {
      m.core.set_interrupt(0, true);
    }
    const std::uint64_t before = m.core.cycles();
    m.core.run(1);
    EXPECT_EQ(m.ipsr(), by_instruction ? kSvCall : kFirstInterrupt);
    EXPECT_EQ(m.core.cycles() - before, 1U + 8 * 3) << "eight words";
  }
}

TEST(Sleep, wfi_ends_the_run_until_an_interrupt_is_pending) {
  SystemMachine m;
  m.write(kIser, 1);
  m.main({"nop; wfi; movs r0, #1", {0xBF00, 0xBF30, 0x2001}});
  CoreStop stop = m.core.run(10);
  EXPECT_EQ(stop, (CoreStop{StopReason::wait_for_interrupt, SystemMachine::kMain + 4, 0}));
  stop = m.core.run(10);
  EXPECT_EQ(stop.reason, StopReason::wait_for_interrupt);
  m.core.set_interrupt(1, true);
  EXPECT_EQ(m.core.run(10).reason, StopReason::wait_for_interrupt) << "this one is not enabled";
  m.core.set_interrupt(0, true);
  m.put(m.interrupt(0), {"nop; bx lr", {0xBF00, 0x4770}});
  EXPECT_EQ(m.core.run(1).reason, StopReason::budget);
  EXPECT_EQ(m.ipsr(), 16U);
}

TEST(Sleep, a_masked_interrupt_wakes_the_core_and_waits) {
  SystemMachine m;
  m.write(kIser, 1);
  m.main({"cpsid i; wfi; movs r0, #1; cpsie i; nop", {0xB672, 0xBF30, 0x2001, 0xB662, 0xBF00}});
  EXPECT_EQ(m.core.run(10).reason, StopReason::wait_for_interrupt);
  m.core.set_interrupt(0, true);
  m.core.run(2);
  EXPECT_EQ(m.core.reg(0), 1U);
  EXPECT_EQ(m.ipsr(), 0U);
  m.put(m.interrupt(0), {"nop", {0xBF00}});
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 16U);
}

TEST(Sleep, the_timer_wakes_the_core) {
  SystemMachine m;
  m.write(kSystRvr, 999);
  m.write(kSystCvr, 0);
  m.write(kSystCsr, kEnable | kException);
  m.main({"wfi; nop", {0xBF30, 0xBF00}});
  m.put(m.handler(kSysTick), {"nop", {0xBF00}});
  EXPECT_EQ(m.core.run(10).reason, StopReason::wait_for_interrupt);
  const std::uint64_t left = m.core.cycles_to_timer();
  EXPECT_EQ(left, 1000U - 2U) << "since the cycle in which it was enabled";
  m.core.sleep(left - 1);
  EXPECT_EQ(m.core.run(10).reason, StopReason::wait_for_interrupt);
  m.core.sleep(1);
  EXPECT_EQ(m.core.run(1).reason, StopReason::budget);
  EXPECT_EQ(m.ipsr(), kSysTick);
}

TEST(Sleep, wfe_waits_for_events) {
  SystemMachine m;
  m.main({"sev; wfe; movs r0, #1; wfe; movs r0, #2", {0xBF40, 0xBF20, 0x2001, 0xBF20, 0x2002}});
  EXPECT_EQ(m.core.run(10).reason, StopReason::wait_for_interrupt);
  EXPECT_EQ(m.core.reg(0), 1U) << "the event was there already";
  m.core.send_event();
  m.core.run(1);
  EXPECT_EQ(m.core.reg(0), 2U);
}

TEST(Sleep, an_interrupt_that_becomes_pending_may_be_an_event) {
  for (const bool event : {false, true}) {
    SystemMachine m;
    m.write(kScr, event ? kEventOnPending : 0);
    m.main({"wfe; movs r0, #1", {0xBF20, 0x2001}});
    m.core.run(10);
    m.core.set_interrupt(0, true);
    EXPECT_EQ(m.core.run(1).reason, event ? StopReason::budget : StopReason::wait_for_interrupt);
  }
}

TEST(Sleep, may_follow_the_last_handler) {
  SystemMachine m;
  m.write(kIser, 1);
  m.write(kScr, kSleepOnExit);
  m.main({"nop; nop", {0xBF00, 0xBF00}});
  m.core.run(1);
  m.core.set_interrupt(0, true);
  m.put(m.interrupt(0), {"movs r4, #1; bx lr", {0x2401, 0x4770}});
  m.core.run(1);
  m.core.set_interrupt(0, false);
  const CoreStop stop = m.core.run(10);
  EXPECT_EQ(stop, (CoreStop{StopReason::wait_for_interrupt, SystemMachine::kMain + 2, 0}));
}

}  // namespace
}  // namespace ftlab::iss::arm
