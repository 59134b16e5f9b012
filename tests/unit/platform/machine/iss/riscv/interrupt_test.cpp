// Interrupts: when they are taken, which one first, and how WFI waits for them.
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/unit/platform/machine/iss/riscv/core_fixture.h"

namespace ftlab::iss::riscv {
namespace {

using namespace assembler;

constexpr std::uint32_t kInterruptBit = 0x80000000;

class InterruptTest : public CoreTest {
 protected:
  InterruptTest() {
    set_csr(csr::kMtvec, kHandler);
    set_csr(csr::kMie, 0x888);
    set_csr(csr::kMstatus, 8);
    place(kHandler, {nop, nop, nop, nop});
    for (std::uint32_t at = kRom; at < kRom + 256; at += 4) place(at, {nop});
  }
};

TEST_F(InterruptTest, one_is_taken_before_the_next_instruction) {
  core->run(2);
  core->set_line(Interrupt::timer, true);
  core->run(1);
  EXPECT_EQ(core->pc(), kHandler + 4);
  EXPECT_EQ(csr_value(csr::kMepc), kRom + 8);
  EXPECT_EQ(csr_value(csr::kMcause), kInterruptBit | 7);
  EXPECT_EQ(csr_value(csr::kMtval), 0U);
  EXPECT_EQ(csr_value(csr::kMstatus), 0x1880U);
  EXPECT_EQ(core->instructions(), 3U) << "entering is no instruction";
}

TEST_F(InterruptTest, none_is_taken_without_a_budget_for_what_follows) {
  core->set_line(Interrupt::timer, true);
  core->run(0);
  EXPECT_EQ(core->pc(), kRom);
  core->set_line(Interrupt::timer, false);
  core->run(1);
  EXPECT_EQ(core->pc(), kRom + 4);
}

TEST_F(InterruptTest, none_is_taken_unless_both_enables_are_set) {
  core->set_line(Interrupt::timer, true);
  set_csr(csr::kMstatus, 0);
  core->run(1);
  EXPECT_EQ(core->pc(), kRom + 4);
  set_csr(csr::kMstatus, 8);
  set_csr(csr::kMie, 0x808);
  core->run(1);
  EXPECT_EQ(core->pc(), kRom + 8);
  set_csr(csr::kMie, 0x80);
  core->run(1);
  EXPECT_EQ(core->pc(), kHandler + 4);
}

TEST_F(InterruptTest, external_comes_before_software_and_software_before_timer) {
  for (const Interrupt line : {Interrupt::software, Interrupt::timer, Interrupt::external}) core->set_line(line, true);
  core->run(1);
  EXPECT_EQ(csr_value(csr::kMcause), kInterruptBit | 11);
  core->set_line(Interrupt::external, false);
  set_csr(csr::kMstatus, 8);
  core->run(1);
  EXPECT_EQ(csr_value(csr::kMcause), kInterruptBit | 3);
  core->set_line(Interrupt::software, false);
  set_csr(csr::kMstatus, 8);
  core->run(1);
  EXPECT_EQ(csr_value(csr::kMcause), kInterruptBit | 7);
}

TEST_F(InterruptTest, vectored_mode_has_an_entry_for_each) {
  set_csr(csr::kMtvec, kHandler | 1);
  place(kHandler + 4 * 11, {nop});
  core->set_line(Interrupt::external, true);
  core->run(1);
  EXPECT_EQ(core->pc(), kHandler + 4 * 11 + 4);
}

TEST_F(InterruptTest, one_interrupt_is_not_taken_again_in_its_handler) {
  core->set_line(Interrupt::timer, true);
  core->run(3);
  EXPECT_EQ(core->pc(), kHandler + 12);
}

TEST_F(InterruptTest, a_pending_one_is_taken_right_behind_mret) {
  core->set_line(Interrupt::timer, true);
  place(kHandler, {mret});
  core->run(2);
  EXPECT_EQ(core->pc(), kRom);
  core->run(0);
  EXPECT_EQ(csr_value(csr::kMepc), kRom);
  core->set_line(Interrupt::timer, false);
  core->run(1);
  EXPECT_EQ(core->pc(), kRom + 4);
}

TEST_F(InterruptTest, a_pending_one_is_taken_right_behind_the_write_that_enables_it) {
  set_csr(csr::kMstatus, 0);
  core->set_line(Interrupt::software, true);
  place(kRom, {nop, csrrsi(zero, csr::kMstatus, 8), addi(a0, zero, 1)});
  core->run(3);
  EXPECT_EQ(csr_value(csr::kMepc), kRom + 8);
  EXPECT_EQ(x(a0), 0U);
  set_csr(csr::kMie, 0);
  core->set_pc(kRom);
  set_x(t0, 8);
  place(kRom, {csrw(csr::kMie, t0), addi(a0, zero, 1)});
  core->code_changed(kRom, 64);
  set_csr(csr::kMstatus, 8);
  core->run(2);
  EXPECT_EQ(csr_value(csr::kMepc), kRom + 4);
  EXPECT_EQ(x(a0), 0U);
}

TEST_F(InterruptTest, one_that_a_device_access_raises_is_taken_behind_it) {
  set_x(a0, kDevice);
  place(kRom, {addi(a1, zero, 1), sw(a1, 0, a0), addi(a2, zero, 2), addi(a3, zero, 3)});
  bus.on_access = [&] { core->set_line(Interrupt::external, true); };
  core->run(3);
  EXPECT_EQ(csr_value(csr::kMepc), kRom + 8);
  EXPECT_EQ(x(a2), 0U);
  EXPECT_EQ(core->pc(), kHandler + 4);
}

TEST_F(InterruptTest, wfi_waits_until_one_is_pending) {
  place(kRom, {wfi, addi(a0, zero, 1)});
  EXPECT_EQ(core->run(100), (CoreStop{StopReason::wait_for_interrupt, kRom + 4, 0}));
  EXPECT_EQ(core->instructions(), 1U);
  EXPECT_EQ(core->run(100), (CoreStop{StopReason::wait_for_interrupt, kRom + 4, 0}));
  EXPECT_EQ(core->instructions(), 1U);
  core->set_line(Interrupt::external, true);
  core->run(1);
  EXPECT_EQ(csr_value(csr::kMepc), kRom + 4);
  EXPECT_EQ(core->pc(), kHandler + 4);
}

TEST_F(InterruptTest, wfi_ends_though_interrupts_are_disabled) {
  set_csr(csr::kMstatus, 0);
  place(kRom, {wfi, addi(a0, zero, 1)});
  core->run(100);
  core->set_line(Interrupt::timer, true);
  core->run(1);
  EXPECT_EQ(x(a0), 1U);
  EXPECT_EQ(core->pc(), kRom + 8);
}

TEST_F(InterruptTest, wfi_does_not_wait_when_one_is_pending) {
  set_csr(csr::kMstatus, 0);
  core->set_line(Interrupt::timer, true);
  place(kRom, {wfi, addi(a0, zero, 1)});
  EXPECT_EQ(core->run(2).reason, StopReason::budget);
  EXPECT_EQ(x(a0), 1U);
}

TEST_F(InterruptTest, wfi_waits_on_for_one_that_is_not_enabled) {
  set_csr(csr::kMie, 0x800);
  place(kRom, {wfi});
  core->run(100);
  core->set_line(Interrupt::timer, true);
  EXPECT_EQ(core->run(100).reason, StopReason::wait_for_interrupt);
  core->set_pc(kRom + 4);
  EXPECT_EQ(core->run(1).reason, StopReason::budget) << "another place is another program";
}

}  // namespace
}  // namespace ftlab::iss::riscv
