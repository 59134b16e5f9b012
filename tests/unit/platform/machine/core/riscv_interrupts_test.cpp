// Registers of the timer and the interrupt controller beside a RISC-V core.
#include "platform/machine/core/riscv_interrupts.h"

#include <gtest/gtest.h>

#include "platform/machine/core/core_clock.h"

namespace ftlab::platform {
namespace {

namespace board = hw::riscv_board;

struct Fixture : ::testing::Test {
  std::uint32_t read(std::uint32_t address, std::uint64_t cycle = 0) {
    std::uint32_t value = 0;
    EXPECT_TRUE(interrupts.read(address, 4, cycle, value)) << address;
    return value;
  }
  void write(std::uint32_t address, std::uint32_t value) {
    EXPECT_TRUE(interrupts.write(address, 4, value)) << address;
  }
  void enable_both() {
    write(board::kEnable, 6);
    write(board::kPriority + 4, 1);
    write(board::kPriority + 8, 1);
  }

  RiscvInterrupts interrupts;
};
using RiscvInterruptsTest = Fixture;

TEST_F(RiscvInterruptsTest, the_timer_interrupts_at_its_cycle_since_reset) {
  EXPECT_EQ(interrupts.timer_cycle(), CoreClock::kNeverCycle);
  interrupts.reset(1000);
  EXPECT_EQ(interrupts.timer_cycle(), CoreClock::kNeverCycle);
  EXPECT_EQ(read(board::kMtime, 1250), 250U);
  EXPECT_EQ(read(board::kMtime + 4, 1000 + (std::uint64_t{7} << 32)), 7U);
  write(board::kMtimecmp, 300);
  write(board::kMtimecmp + 4, 2);
  EXPECT_EQ(interrupts.timer_cycle(), 1300 + (std::uint64_t{2} << 32));
  EXPECT_EQ(read(board::kMtimecmp), 300U);
  EXPECT_EQ(read(board::kMtimecmp + 4), 2U);
}

TEST_F(RiscvInterruptsTest, an_edge_interrupts_once_and_while_it_is_served_is_kept) {
  enable_both();
  interrupts.raise(1);
  EXPECT_TRUE(interrupts.line_interrupts());
  EXPECT_EQ(read(board::kPending), 4U);
  EXPECT_EQ(read(board::kClaim), 2U);
  EXPECT_FALSE(interrupts.line_interrupts());
  EXPECT_EQ(read(board::kClaim), 0U);
  interrupts.raise(1);
  EXPECT_FALSE(interrupts.line_interrupts()) << "not before it is complete";
  write(board::kClaim, 2);
  EXPECT_TRUE(interrupts.line_interrupts());
  EXPECT_EQ(read(board::kClaim), 2U);
  write(board::kClaim, 2);
  EXPECT_FALSE(interrupts.line_interrupts());
}

TEST_F(RiscvInterruptsTest, the_higher_priority_comes_first_and_then_the_lower_number) {
  enable_both();
  interrupts.raise(0);
  interrupts.raise(1);
  EXPECT_EQ(read(board::kClaim), 1U);
  write(board::kClaim, 1);
  interrupts.raise(0);
  write(board::kPriority + 8, 5);
  EXPECT_EQ(read(board::kClaim), 2U);
}

TEST_F(RiscvInterruptsTest, what_is_not_enabled_or_not_above_the_threshold_does_not_interrupt) {
  interrupts.raise(0);
  EXPECT_FALSE(interrupts.line_interrupts());
  enable_both();
  EXPECT_TRUE(interrupts.line_interrupts());
  write(board::kThreshold, 1);
  EXPECT_FALSE(interrupts.line_interrupts());
  write(board::kPriority + 4, 2);
  EXPECT_TRUE(interrupts.line_interrupts());
  write(board::kPriority + 4, 0);
  EXPECT_FALSE(interrupts.line_interrupts());
  EXPECT_EQ(read(board::kClaim), 0U) << "priority 0 never interrupts";
}

TEST_F(RiscvInterruptsTest, only_words_of_registers_are_answered) {
  std::uint32_t value = 0;
  EXPECT_FALSE(interrupts.read(board::kMtime, 2, 0, value));
  EXPECT_FALSE(interrupts.write(board::kEnable, 1, 0));
  EXPECT_FALSE(interrupts.read(board::kPriority + 16, 4, 0, value));
  EXPECT_FALSE(interrupts.write(board::kMtime, 4, 0));
  EXPECT_FALSE(interrupts.write(board::kPending, 4, 0));
  EXPECT_TRUE(RiscvInterrupts::owns(board::kMtime + 4));
  EXPECT_TRUE(RiscvInterrupts::owns(board::kClaim));
  EXPECT_FALSE(RiscvInterrupts::owns(board::kClint - 1));
  EXPECT_FALSE(RiscvInterrupts::owns(board::kPlic + board::kPlicBytes));
}

}  // namespace
}  // namespace ftlab::platform
