// Exceptions and MRET; where run() ends instead.
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/unit/platform/machine/iss/riscv/core_fixture.h"

namespace ftlab::iss::riscv {
namespace {

using namespace assembler;

class TrapTest : public CoreTest {
 protected:
  TrapTest() { prepare(); }
  void prepare() {
    set_csr(csr::kMtvec, kHandler);
    set_csr(csr::kMcause, 0);
  }
  void configure_reported(std::uint32_t reported) {
    configure({.reset_pc = kRom, .reported = reported});
    prepare();
  }
};

TEST_F(TrapTest, a_trap_keeps_where_why_and_what) {
  set_csr(csr::kMstatus, 8);
  place(kRom, {nop, ecall, nop});
  EXPECT_EQ(core->run(2).reason, StopReason::budget);
  EXPECT_EQ(core->pc(), kHandler);
  EXPECT_EQ(csr_value(csr::kMepc), kRom + 4);
  EXPECT_EQ(csr_value(csr::kMcause), 11U);
  EXPECT_EQ(csr_value(csr::kMtval), 0U);
  EXPECT_EQ(csr_value(csr::kMstatus), 0x1880U);
}

TEST_F(TrapTest, a_trap_without_enabled_interrupts_remembers_that) {
  set_csr(csr::kMstatus, 0x80);
  place(kRom, {ecall});
  core->run(1);
  EXPECT_EQ(csr_value(csr::kMstatus), 0x1800U);
}

TEST_F(TrapTest, mret_returns_and_restores) {
  set_csr(csr::kMstatus, 0x80);
  set_csr(csr::kMepc, kRom + 64);
  execute({mret});
  EXPECT_EQ(core->pc(), kRom + 64);
  EXPECT_EQ(csr_value(csr::kMstatus), 0x1888U);
  set_csr(csr::kMstatus, 0x08);
  execute({mret});
  EXPECT_EQ(csr_value(csr::kMstatus), 0x1880U);
}

TEST_F(TrapTest, a_handler_returns_behind_the_call) {
  place(kHandler, {csrr(t0, csr::kMepc), addi(t0, t0, 4), csrw(csr::kMepc, t0), addi(a0, a0, 1), mret});
  place(kRom, {ecall, ecall, addi(a1, zero, 3)});
  core->run(2 * 6 + 1);
  EXPECT_EQ(x(a0), 2U);
  EXPECT_EQ(x(a1), 3U);
  EXPECT_EQ(core->pc(), kRom + 12);
}

TEST_F(TrapTest, ebreak_is_an_exception_at_its_own_address) {
  place(kRom, {nop, ebreak});
  core->run(2);
  EXPECT_EQ(csr_value(csr::kMcause), 3U);
  EXPECT_EQ(csr_value(csr::kMtval), kRom + 4);
  EXPECT_EQ(csr_value(csr::kMepc), kRom + 4);
  place_half(kRom, 0x9002);  // c.ebreak
  core->code_changed(kRom, 4);
  core->set_pc(kRom);
  core->run(1);
  EXPECT_EQ(csr_value(csr::kMepc), kRom);
}

TEST_F(TrapTest, an_illegal_instruction_is_shown_in_mtval) {
  place(kRom, {0xffffffff});
  core->run(1);
  EXPECT_EQ(csr_value(csr::kMcause), 2U);
  EXPECT_EQ(csr_value(csr::kMtval), 0xffffffffU);
  EXPECT_EQ(csr_value(csr::kMepc), kRom);
  place(kRom, {0x12340000});
  core->code_changed(kRom, 4);
  core->set_pc(kRom);
  core->run(1);
  EXPECT_EQ(csr_value(csr::kMtval), 0U) << "of a compressed one its 16 bits";
}

TEST_F(TrapTest, atomics_are_illegal_in_a_core_without_them) {
  configure({.identity = {.atomics = false}, .reset_pc = kRom});
  prepare();
  set_x(a0, kRam);
  place(kRom, {amoadd_w(a1, a2, a0)});
  core->run(1);
  EXPECT_EQ(csr_value(csr::kMcause), 2U);
  EXPECT_EQ(csr_value(csr::kMtval), amoadd_w(a1, a2, a0));
}

TEST_F(TrapTest, instructions_come_from_executable_memory_alone) {
  set_csr(csr::kMstatus, 8);
  execute({jalr(ra, zero, 16)});
  core->run(1);
  EXPECT_EQ(csr_value(csr::kMcause), 1U);
  EXPECT_EQ(csr_value(csr::kMepc), 16U);
  EXPECT_EQ(csr_value(csr::kMtval), 16U);
  EXPECT_EQ(core->pc(), kHandler);
  EXPECT_TRUE(bus.accesses.empty());
}

TEST_F(TrapTest, an_instruction_that_ends_beyond_memory_faults_at_its_second_half) {
  place_half(kRam + kMemoryBytes - 4, 0x0505);  // c.addi a0, 1
  place_half(kRam + kMemoryBytes - 2, 0x0513);
  core->set_pc(kRam + kMemoryBytes - 4);
  core->run(2);
  EXPECT_EQ(x(a0), 1U);
  EXPECT_EQ(csr_value(csr::kMcause), 1U);
  EXPECT_EQ(csr_value(csr::kMepc), kRam + kMemoryBytes - 2);
  EXPECT_EQ(csr_value(csr::kMtval), kRam + kMemoryBytes);
}

TEST_F(TrapTest, instructions_before_the_fault_are_complete_and_those_behind_it_are_not_begun) {
  set_x(a0, kNothing);
  place(kRom, {addi(a1, zero, 1), addi(a2, zero, 2), lw(a3, 0, a0), addi(a4, zero, 4)});
  core->run(3);
  EXPECT_EQ(core->pc(), kHandler);
  EXPECT_EQ(core->instructions(), 3U);
  EXPECT_EQ(csr_value(csr::kMepc), kRom + 8);
  EXPECT_EQ(x(a1), 1U);
  EXPECT_EQ(x(a2), 2U);
  EXPECT_EQ(x(a4), 0U);
}

TEST_F(TrapTest, vectored_mode_leaves_exceptions_at_the_base) {
  set_csr(csr::kMtvec, kHandler | 1);
  place(kRom, {ecall});
  core->run(1);
  EXPECT_EQ(core->pc(), kHandler);
}

TEST_F(TrapTest, run_ends_where_an_exception_is_to_be_reported) {
  configure_reported(RiscvConfig::bit(Cause::environment_call) | RiscvConfig::bit(Cause::illegal_instruction) |
                     RiscvConfig::bit(Cause::load_fault) | RiscvConfig::bit(Cause::store_misaligned));
  place(kRom, {nop, ecall, 0xffffffff, lw(a1, 8, a0), sw(a1, 1, zero), ebreak});
  set_x(a0, kNothing);
  EXPECT_EQ(core->run(100), (CoreStop{StopReason::environment_call, kRom + 4, 0}));
  core->set_pc(kRom + 8);
  EXPECT_EQ(core->run(100), (CoreStop{StopReason::illegal_instruction, kRom + 8, 0xffffffff}));
  core->set_pc(kRom + 12);
  EXPECT_EQ(core->run(100), (CoreStop{StopReason::bus_error, kRom + 12, kNothing + 8}));
  core->set_pc(kRom + 16);
  EXPECT_EQ(core->run(100), (CoreStop{StopReason::misaligned, kRom + 16, 1}));
  EXPECT_EQ(csr_value(csr::kMcause), 0U);
  core->set_pc(kRom + 20);
  EXPECT_EQ(core->run(1).reason, StopReason::budget);
  EXPECT_EQ(csr_value(csr::kMcause), 3U);
}

TEST_F(TrapTest, a_handler_that_cannot_be_executed_is_a_lockup) {
  set_csr(csr::kMtvec, 0);
  place(kRom, {ecall});
  EXPECT_EQ(core->run(100), (CoreStop{StopReason::lockup, 0, 0}));
  EXPECT_EQ(core->instructions(), 2U);
  EXPECT_EQ(csr_value(csr::kMcause), 11U) << "the first exception is still to be seen";
}

TEST_F(TrapTest, a_handler_of_zeros_is_a_lockup) {
  place(kRom, {ecall});
  EXPECT_EQ(core->run(100), (CoreStop{StopReason::lockup, kHandler, 0}));
}

TEST_F(TrapTest, exceptions_without_end_use_up_the_budget) {
  set_csr(csr::kMtvec, kRom);
  place(kRom, {ecall});
  EXPECT_EQ(core->run(1000).reason, StopReason::budget);
  EXPECT_EQ(core->instructions(), 1000U);
}

}  // namespace
}  // namespace ftlab::iss::riscv
