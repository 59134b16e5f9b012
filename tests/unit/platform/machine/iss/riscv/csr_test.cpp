// Instructions on control and status registers, and what each register keeps.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/unit/platform/machine/iss/riscv/core_fixture.h"

namespace ftlab::iss::riscv {
namespace {

using namespace assembler;

class CsrTest : public CoreTest {
 protected:
  /// What is read behind a write of this value.
  std::uint32_t kept(std::uint32_t number, std::uint32_t value) {
    set_x(a0, value);
    execute({csrrw(zero, number, a0), csrr(a1, number)});
    return x(a1);
  }
  bool illegal(Code code) {
    set_csr(csr::kMtvec, kHandler);
    set_csr(csr::kMcause, 0);
    place(kRom, {code});
    core->code_changed(kRom, 4);
    core->set_pc(kRom);
    core->run(1);
    EXPECT_EQ(csr_value(csr::kMcause) == 2, core->pc() == kHandler);
    if (core->pc() == kHandler) {
      EXPECT_EQ(csr_value(csr::kMtval), code);
    }
    return core->pc() == kHandler;
  }
};

TEST_F(CsrTest, each_instruction_answers_the_old_value) {
  set_csr(csr::kMscratch, 0xf0f0);
  set_x(a0, 0xff00);
  execute({csrrw(a1, csr::kMscratch, a0)});
  EXPECT_EQ(x(a1), 0xf0f0U);
  EXPECT_EQ(csr_value(csr::kMscratch), 0xff00U);
  set_x(a0, 0x000f);
  execute({csrrs(a1, csr::kMscratch, a0)});
  EXPECT_EQ(x(a1), 0xff00U);
  EXPECT_EQ(csr_value(csr::kMscratch), 0xff0fU);
  set_x(a0, 0x0f01);
  execute({csrrc(a1, csr::kMscratch, a0)});
  EXPECT_EQ(x(a1), 0xff0fU);
  EXPECT_EQ(csr_value(csr::kMscratch), 0xf00eU);
}

TEST_F(CsrTest, immediates_have_five_bits_and_no_sign) {
  execute({csrrwi(a1, csr::kMscratch, 31)});
  EXPECT_EQ(csr_value(csr::kMscratch), 31U);
  execute({csrrci(a1, csr::kMscratch, 16)});
  EXPECT_EQ(x(a1), 31U);
  EXPECT_EQ(csr_value(csr::kMscratch), 15U);
  execute({csrrsi(a1, csr::kMscratch, 17)});
  EXPECT_EQ(x(a1), 15U);
  EXPECT_EQ(csr_value(csr::kMscratch), 31U);
}

TEST_F(CsrTest, a_register_is_exchanged_with_itself) {
  set_csr(csr::kMscratch, 1);
  set_x(sp, 2);
  execute({csrrw(sp, csr::kMscratch, sp)});
  EXPECT_EQ(x(sp), 1U);
  EXPECT_EQ(csr_value(csr::kMscratch), 2U);
}

TEST_F(CsrTest, identity_is_what_the_core_was_made_as) {
  configure({.identity = {.vendor = 1, .architecture = 2, .implementation = 3, .hart = 4}, .reset_pc = kRom});
  execute({csrr(a0, csr::kMvendorid), csrr(a1, csr::kMarchid), csrr(a2, csr::kMimpid), csrr(a3, csr::kMhartid),
           csrr(a4, csr::kMisa), csrr(a5, csr::kMconfigptr)});
  EXPECT_EQ(x(a0), 1U);
  EXPECT_EQ(x(a1), 2U);
  EXPECT_EQ(x(a2), 3U);
  EXPECT_EQ(x(a3), 4U);
  EXPECT_EQ(x(a4), 0x40001105U);  // 32 bits; A, C, I, M
  EXPECT_EQ(x(a5), 0U);
  configure({.identity = {.atomics = false}, .reset_pc = kRom});
  EXPECT_EQ(kept(csr::kMisa, 0), 0x40001104U);
}

TEST_F(CsrTest, registers_keep_the_bits_that_they_have) {
  EXPECT_EQ(kept(csr::kMscratch, 0xffffffff), 0xffffffffU);
  EXPECT_EQ(kept(csr::kMepc, 0xffffffff), 0xfffffffeU);
  EXPECT_EQ(kept(csr::kMtvec, 0xffffffff), 0xfffffffdU);
  EXPECT_EQ(kept(csr::kMtvec, 0x1000), 0x1000U);
  EXPECT_EQ(kept(csr::kMcause, 0x8000000b), 0x8000000bU);
  EXPECT_EQ(kept(csr::kMtval, 0x12345678), 0x12345678U);
  EXPECT_EQ(kept(csr::kMie, 0xffffffff), 0x888U);
  EXPECT_EQ(kept(csr::kMip, 0xffffffff), 0U);
  EXPECT_EQ(kept(csr::kMstatush, 0xffffffff), 0U);
  EXPECT_EQ(kept(csr::kMcountinhibit, 0xffffffff), 5U);
}

TEST_F(CsrTest, mstatus_keeps_two_bits_and_is_in_machine_mode_before) {
  EXPECT_EQ(kept(csr::kMstatus, 0), 0x1800U);
  EXPECT_EQ(kept(csr::kMstatus, 0x80), 0x1880U);
  EXPECT_EQ(kept(csr::kMstatus, 0xffffffff), 0x1888U);
}

TEST_F(CsrTest, lines_are_seen_in_mip) {
  core->set_line(Interrupt::external, true);
  core->set_line(Interrupt::software, true);
  execute({csrr(a0, csr::kMip)});
  EXPECT_EQ(x(a0), 0x808U);
  core->set_line(Interrupt::external, false);
  core->set_line(Interrupt::timer, true);
  execute({csrr(a0, csr::kMip)});
  EXPECT_EQ(x(a0), 0x88U);
}

TEST_F(CsrTest, there_are_no_others) {
  for (const std::uint32_t number :
       {0x000U, 0x001U, 0x100U, 0x302U, 0x303U, 0x306U, 0x7b0U, 0xb01U, 0xc00U, 0xc01U, 0xc02U, 0xfffU}) {
    EXPECT_TRUE(illegal(csrr(a1, number))) << number;
    EXPECT_TRUE(illegal(csrw(number, a1))) << number;
  }
  for (const std::uint32_t number : {0xb03U, 0xb1fU, 0xb83U, 0xb9fU, 0x323U, 0x33fU}) {
    EXPECT_EQ(kept(number, 0xffffffff), 0U) << number;
  }
}

TEST_F(CsrTest, a_read_only_register_may_not_be_written) {
  for (const std::uint32_t number : {csr::kMvendorid, csr::kMarchid, csr::kMimpid, csr::kMhartid, csr::kMconfigptr}) {
    EXPECT_TRUE(illegal(csrw(number, zero))) << number;
    EXPECT_TRUE(illegal(csrrwi(a1, number, 0))) << number;
    EXPECT_TRUE(illegal(csrrs(a1, number, a0))) << number;
    EXPECT_TRUE(illegal(csrrci(a1, number, 1))) << number;
    EXPECT_FALSE(illegal(csrrc(a1, number, zero))) << number;
    EXPECT_FALSE(illegal(csrrsi(a1, number, 0))) << number;
  }
}

TEST_F(CsrTest, counters_count_instructions) {
  execute({nop, nop, csrr(a0, csr::kMinstret), nop, csrr(a1, csr::kMinstret), csrr(a2, csr::kMcycle)});
  EXPECT_EQ(x(a0), 2U);
  EXPECT_EQ(x(a1), 4U);
  EXPECT_EQ(x(a2), 5U);
}

TEST_F(CsrTest, a_counter_goes_on_from_what_is_written) {
  set_x(a0, 100);
  set_x(a1, 7);
  execute({csrw(csr::kMinstret, a0), csrr(a2, csr::kMinstret), csrw(csr::kMinstreth, a1), csrr(a3, csr::kMinstreth),
           csrr(a4, csr::kMinstret)});
  EXPECT_EQ(x(a2), 100U);
  EXPECT_EQ(x(a3), 7U);
  EXPECT_EQ(x(a4), 103U);
  EXPECT_EQ(csr_value(csr::kMcycle), 5U);
}

TEST_F(CsrTest, counters_have_64_bits) {
  set_x(a0, 0xffffffff);
  execute({csrw(csr::kMcycle, a0), nop, csrr(a1, csr::kMcycle), csrr(a2, csr::kMcycleh)});
  EXPECT_EQ(x(a1), 0U);
  EXPECT_EQ(x(a2), 1U);
}

TEST_F(CsrTest, inhibited_counters_stand_still) {
  execute({csrrwi(zero, csr::kMcountinhibit, 4), nop, nop, csrr(a0, csr::kMinstret), csrr(a1, csr::kMcycle)});
  EXPECT_EQ(x(a0), 1U);
  EXPECT_EQ(x(a1), 4U);
  execute({csrrwi(zero, csr::kMinstret, 9), nop, csrrwi(zero, csr::kMcountinhibit, 1), nop, csrr(a0, csr::kMinstret),
           csrr(a1, csr::kMcycle)});
  EXPECT_EQ(x(a0), 10U);
  EXPECT_EQ(x(a1), 8U);
}

TEST_F(CsrTest, an_instruction_that_traps_does_not_retire) {
  set_csr(csr::kMtvec, kHandler);
  place(kRom, {nop, ecall});
  place(kHandler, {csrr(a0, csr::kMinstret), csrr(a1, csr::kMcycle)});
  core->run(4);
  EXPECT_EQ(x(a0), 1U);
  EXPECT_EQ(x(a1), 3U);
  EXPECT_EQ(core->instructions(), 4U);
}

TEST_F(CsrTest, a_reset_leaves_nothing_but_the_lines) {
  set_csr(csr::kMstatus, 0x88);
  set_csr(csr::kMtvec, kHandler);
  set_csr(csr::kMie, 0x80);
  core->set_line(Interrupt::software, true);
  set_x(a0, 5);
  execute({nop});
  core->reset();
  EXPECT_EQ(csr_value(csr::kMstatus), 0x1800U);
  EXPECT_EQ(csr_value(csr::kMtvec), 0U);
  EXPECT_EQ(csr_value(csr::kMie), 0U);
  EXPECT_EQ(csr_value(csr::kMip), 8U);
  EXPECT_EQ(csr_value(csr::kMinstret), 0U);
  EXPECT_EQ(x(a0), 0U);
  EXPECT_EQ(core->pc(), kRom);
  EXPECT_EQ(core->instructions(), 0U);
}

}  // namespace
}  // namespace ftlab::iss::riscv
