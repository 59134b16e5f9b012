// Entry to and return from exceptions, by the ARMv7-M Architecture Reference Manual, B1.5.
#include "tests/unit/platform/machine/iss/arm/system_machine.h"

namespace ftlab::iss::arm {
namespace {

constexpr std::uint32_t kFlagN = 1U << 31, kFlagC = 1U << 29;

TEST(Exception, reset_reads_stack_and_address_from_the_vectors) {
  SystemMachine m;
  EXPECT_EQ(m.core.reg(13), SystemMachine::kStack);
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain);
  EXPECT_EQ(m.core.reg(14), 0xFFFFFFFFU);
  EXPECT_EQ(m.core.reg(16) & 0x01FFFFFF, kPsrT);
}

TEST(Exception, entry_puts_eight_words_on_the_stack) {
  SystemMachine m;
  m.main({"svc #5", {0xDF05}});
  for (unsigned i = 0; i < 13; ++i) {
    m.core.set_reg(i, 100 + i);
  }
  m.core.set_reg(14, 0x1235);
  m.core.set_reg(16, kPsrT | kFlagN | kFlagC);
  m.core.run(1);
  EXPECT_EQ(m.core.pc(), m.handler(kSvCall));
  EXPECT_EQ(m.ipsr(), kSvCall);
  EXPECT_EQ(m.core.reg(14), 0xFFFFFFF9U);
  const std::uint32_t sp = SystemMachine::kStack - 32;
  EXPECT_EQ(m.core.reg(13), sp);
  const std::uint32_t frame[] = {100, 101, 102, 103, 112, 0x1235, SystemMachine::kMain + 2, kPsrT | kFlagN | kFlagC};
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(m.word(sp + 4 * i), frame[i]) << i;
  }
}

TEST(Exception, return_takes_them_back) {
  SystemMachine m;
  m.main({"svc #5", {0xDF05}});
  m.put(m.handler(kSvCall), {"movs r0, #0; mov r12, r0; bx lr", {0x2000, 0x4684, 0x4770}});
  m.core.set_reg(0, 7);
  m.core.set_reg(12, 8);
  m.core.set_reg(14, 0x1235);
  m.core.set_reg(16, kPsrT | kFlagN | kFlagC);
  m.core.run(4);
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain + 2);
  EXPECT_EQ(m.core.reg(0), 7U);
  EXPECT_EQ(m.core.reg(12), 8U);
  EXPECT_EQ(m.core.reg(14), 0x1235U);
  EXPECT_EQ(m.core.reg(13), SystemMachine::kStack);
  EXPECT_EQ(m.core.reg(16), kPsrT | kFlagN | kFlagC);
}

TEST(Exception, return_by_pop_and_by_load) {
  for (const Code& code : {Code{"push {r4, lr}; pop {r4, pc}", {0xB510, 0xBD10}},
                           Code{"push {lr}; ldr pc, [sp], #4", {0xB500, 0xF85D, 0xFB04}}}) {
    SystemMachine m;
    m.main({"svc #0", {0xDF00}});
    m.put(m.handler(kSvCall), code);
    m.core.run(3);
    EXPECT_EQ(m.core.pc(), SystemMachine::kMain + 2) << code.text;
    EXPECT_EQ(m.core.reg(13), SystemMachine::kStack) << code.text;
  }
}

TEST(Exception, the_frame_is_aligned_to_eight_bytes_unless_that_is_switched_off) {
  for (const bool aligns : {true, false}) {
    SystemMachine m;
    m.main({"svc #0; nop", {0xDF00, 0xBF00}});
    if (!aligns) {
      m.write(kCcr, 0);
    }
    m.core.set_reg(13, SystemMachine::kStack - 4);
    m.core.run(1);
    EXPECT_EQ(m.core.reg(13), SystemMachine::kStack - (aligns ? 40 : 36));
    EXPECT_EQ(m.word(m.core.reg(13) + 28) >> 9 & 1, aligns ? 1U : 0U);
    m.core.run(1);
    EXPECT_EQ(m.core.reg(13), SystemMachine::kStack - 4);
  }
}

TEST(Exception, a_handler_uses_the_main_stack_whichever_the_thread_uses) {
  SystemMachine m;
  // r0: process stack, r1: CONTROL
  m.main({"msr psp, r0; msr control, r1; push {r2}; svc #0; mrs r3, control",
          {0xF380, 0x8809, 0xF381, 0x8814, 0xB404, 0xDF00, 0xF3EF, 0x8314}});
  m.put(m.handler(kSvCall), {"mrs r4, control; mrs r5, psp; bx lr", {0xF3EF, 0x8414, 0xF3EF, 0x8509, 0x4770}});
  m.core.set_reg(0, SystemMachine::kRam + 0x400);
  m.core.set_reg(1, 2);
  m.core.run(4);
  EXPECT_EQ(m.core.reg(14), 0xFFFFFFFDU);
  EXPECT_EQ(m.core.reg(13), SystemMachine::kStack);
  EXPECT_EQ(m.core.reg(18), SystemMachine::kRam + 0x400 - 4 - 4 - 32) << "a word of padding below the pushed one";
  m.core.run(4);
  EXPECT_EQ(m.core.reg(4), 0U);
  EXPECT_EQ(m.core.reg(5), SystemMachine::kRam + 0x400 - 40);
  EXPECT_EQ(m.core.reg(3), 2U);
  EXPECT_EQ(m.core.reg(13), SystemMachine::kRam + 0x400 - 4);
}

TEST(Exception, a_more_urgent_interrupt_interrupts_the_handler) {
  SystemMachine m;
  m.write(kIser, 3);
  m.write(kIpr, 0x2040);  // line 0: 0x40, line 1: 0x20
  m.main({"nop; nop; nop", {0xBF00, 0xBF00, 0xBF00}});
  m.put(m.interrupt(0), {"nop; nop; bx lr", {0xBF00, 0xBF00, 0x4770}});
  m.core.set_interrupt(0, true);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 16U);
  m.core.set_interrupt(0, false);
  m.core.set_interrupt(1, true);
  m.core.run(0);
  EXPECT_EQ(m.ipsr(), 16U) << "an exception is entered when the next instruction is to be executed";
  m.put(m.interrupt(1), {"nop; bx lr", {0xBF00, 0x4770}});
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 17U);
  EXPECT_EQ(m.core.reg(14), 0xFFFFFFF1U);
  m.core.set_interrupt(1, false);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 16U);
  EXPECT_EQ(m.core.pc(), m.interrupt(0) + 2);
  m.core.run(2);
  EXPECT_EQ(m.ipsr(), 0U);
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain);
}

TEST(Exception, pending_ones_are_chained_without_the_stack_between_them) {
  SystemMachine m;
  m.write(kIser, 3);
  m.main({"nop; nop", {0xBF00, 0xBF00}});
  m.put(m.interrupt(0), {"movs r0, #1; bx lr", {0x2001, 0x4770}});
  m.put(m.interrupt(1), {"movs r1, #1; bx lr", {0x2101, 0x4770}});
  m.core.set_reg(0, 9);
  m.core.set_interrupt(1, true);
  m.core.set_interrupt(0, true);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 16U) << "of equal priorities the lowest number comes first";
  m.core.set_interrupt(0, false);
  m.core.set_interrupt(1, false);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 17U);
  EXPECT_EQ(m.core.reg(13), SystemMachine::kStack - 32);
  EXPECT_EQ(m.core.reg(14), 0xFFFFFFF9U);
  EXPECT_EQ(m.core.reg(0), 1U) << "the frame has not been taken back";
  m.core.run(2);
  EXPECT_EQ(m.core.reg(0), 9U);
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain);
}

TEST(Exception, priorities_of_a_group_do_not_interrupt_each_other) {
  for (const bool grouped : {false, true}) {
    SystemMachine m;
    m.write(kAircr, 0x05FA0000 | (grouped ? 7U << 8 : 4U << 8));
    m.write(kIser, 7);
    m.write(kIpr, 0x002040);  // lines 0 to 2: 0x40, 0x20, 0
    m.core.set_interrupt(0, true);
    m.put(m.interrupt(0), {"nop; bx lr", {0xBF00, 0x4770}});
    m.core.run(1);
    m.core.set_interrupt(0, false);
    m.core.set_interrupt(1, true);
    m.core.set_interrupt(2, true);
    m.core.run(1);
    EXPECT_EQ(m.ipsr(), 18U) << "the subpriority decides among those that are pending";
    EXPECT_EQ(m.core.reg(14), grouped ? 0xFFFFFFF9U : 0xFFFFFFF1U);
  }
}

TEST(Exception, an_it_block_goes_on_behind_the_handler) {
  SystemMachine m;
  m.write(kIser, 1);
  m.main(
      {"itete eq; moveq r0, #1; movne r0, #2; addeq r0, #4; addne r0, #8", {0xBF0B, 0x2001, 0x2002, 0x3004, 0x3008}});
  m.put(m.interrupt(0), {"movs r1, #1; bx lr", {0x2101, 0x4770}});  // clears Z, which the return restores
  m.core.set_reg(16, kPsrT | 1U << 30);
  m.core.run(2);
  m.core.set_interrupt(0, true);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 16U);
  EXPECT_EQ(m.core.reg(16) & 0x0600FC00, 0U);
  m.core.set_interrupt(0, false);
  m.core.run(1);
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain + 4);
  m.core.run(3);
  EXPECT_EQ(m.core.reg(0), 5U);
}

TEST(Exception, primask_holds_interrupts_back) {
  SystemMachine m;
  m.write(kIser, 1);
  m.main({"cpsid i; nop; cpsie i; nop; nop", {0xB672, 0xBF00, 0xB662, 0xBF00, 0xBF00}});
  m.core.run(1);
  m.core.set_interrupt(0, true);
  m.core.run(2);
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain + 6);
  EXPECT_EQ(m.ipsr(), 0U);
  m.put(m.interrupt(0), {"nop; bx lr", {0xBF00, 0x4770}});
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 16U);
  EXPECT_EQ(m.word(m.core.reg(13) + 24), SystemMachine::kMain + 6);
}

TEST(Exception, basepri_holds_back_those_of_its_priority_and_below) {
  SystemMachine m;
  m.write(kIser, 3);
  m.write(kIpr, 0x2040);
  m.main({"msr basepri, r0; msr basepri_max, r1; mrs r2, basepri; nop; msr basepri, r3; nop",
          {0xF380, 0x8811, 0xF381, 0x8812, 0xF3EF, 0x8211, 0xBF00, 0xF383, 0x8811, 0xBF00}});
  m.core.set_reg(0, 0x40);
  m.core.set_reg(1, 0x60);  // lower: has no effect
  m.core.set_reg(3, 0);
  m.core.run(3);
  EXPECT_EQ(m.core.reg(2), 0x40U);
  m.core.set_interrupt(0, true);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 0U);
  m.core.set_interrupt(1, true);
  m.put(m.interrupt(1), {"nop; bx lr", {0xBF00, 0x4770}});
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 17U);
  m.core.set_interrupt(1, false);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 0U);
  m.core.run(1);
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain + 18);
  m.put(m.interrupt(0), {"nop; bx lr", {0xBF00, 0x4770}});
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 16U);
}

TEST(Exception, faultmask_leaves_nmi_alone) {
  SystemMachine m;
  m.write(kIser, 1);
  m.main({"cpsid f; nop; nop", {0xB671, 0xBF00, 0xBF00}});
  m.core.run(1);
  m.core.set_interrupt(0, true);
  m.core.pend_nmi();
  m.put(m.handler(kNmi), {"nop; bx lr", {0xBF00, 0x4770}});
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), kNmi);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 0U) << "the return from NMI leaves FAULTMASK set";
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 0U);
  EXPECT_EQ(m.core.reg(20) >> 16 & 1, 1U);
}

TEST(Exception, pendsv_waits_for_the_handlers_to_end) {
  SystemMachine m;
  m.write(kShpr + 8, 0xE0U << 16);  // PendSV last
  m.main({"svc #0; nop", {0xDF00, 0xBF00}});
  m.put(m.handler(kSvCall), {"str r1, [r0]; movs r2, #1; bx lr", {0x6001, 0x2201, 0x4770}});
  m.put(m.handler(kPendSv), {"movs r4, #1; bx lr", {0x2401, 0x4770}});
  m.core.set_reg(0, kIcsr);
  m.core.set_reg(1, 1U << 28);
  m.core.run(3);
  EXPECT_EQ(m.ipsr(), kSvCall);
  m.core.run(1);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), kPendSv);
  m.core.run(1);
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain + 2);
}

TEST(Exception, a_value_that_fits_no_return_is_a_usage_fault) {
  for (const std::uint32_t value : {0xFFFFFFF1U, 0xFFFFFFF5U, 0xF0000001U}) {
    SystemMachine m;
    m.write(kShcsr, kUsgFaultEna);
    m.main({"svc #0", {0xDF00}});
    m.put(m.handler(kSvCall), {"bx r0", {0x4700}});
    m.core.set_reg(0, value);
    m.core.run(2);
    EXPECT_EQ(m.ipsr(), kUsageFault) << std::hex << value;
    EXPECT_EQ(m.read(kCfsr), cfsr::kInvPc);
    EXPECT_EQ(m.core.reg(13), SystemMachine::kStack - 32) << "no second frame";
  }
}

TEST(Exception, in_thread_mode_these_values_are_addresses) {
  SystemMachine m({.stop_at_hard_fault = true});
  m.main({"bx r0", {0x4700}});
  m.core.set_reg(0, 0xFFFFFFF9);
  const CoreStop stop = m.core.run(2);
  EXPECT_EQ(stop.reason, StopReason::bus_error);
  EXPECT_EQ(stop.pc, 0xFFFFFFF8U);
  EXPECT_EQ(m.core.last_fault().status, cfsr::kIaccViol);
}

TEST(Exception, the_stack_may_be_where_nothing_answers) {
  SystemMachine m;
  m.main({"svc #0", {0xDF00}});
  m.core.set_reg(13, 0x60000000);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), kHardFault);
  m.core.set_reg(13, SystemMachine::kStack);
  EXPECT_EQ(m.read(kCfsr), cfsr::kStkErr);
  EXPECT_EQ(m.read(kHfsr), kForced);
}

TEST(Exception, what_cannot_be_stacked_stays_pending_behind_the_fault) {
  SystemMachine m;
  m.write(kShcsr, kBusFaultEna);
  m.write(kShpr + 4, 0x40U << 24);
  m.main({"svc #0", {0xDF00}});
  m.put(m.handler(kBusFault), {"mov sp, r0; bx lr", {0x4685, 0x4770}});
  m.core.set_reg(13, 0x60000000);
  m.core.set_reg(0, SystemMachine::kStack - 32);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), kBusFault);
  EXPECT_EQ(m.read(kShcsr) >> 15 & 1, 1U);
  m.core.run(2);
  EXPECT_EQ(m.ipsr(), kSvCall);
}

TEST(Exception, a_fault_of_stacking_waits_for_what_comes_first) {
  SystemMachine m;
  m.write(kShcsr, kBusFaultEna);
  m.write(kShpr, 0x40U << 8);
  m.main({"svc #0", {0xDF00}});
  m.core.set_reg(13, 0x60000000);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), kSvCall);
  EXPECT_EQ(m.read(kShcsr) >> 14 & 1, 1U);
  EXPECT_EQ(m.read(kHfsr), 0U);
}

TEST(Exception, a_hard_fault_begins_though_its_frame_cannot_be_stacked) {
  SystemMachine m;
  m.main({"udf #0", {0xDE00}});
  m.core.set_reg(13, 0x60000000);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), kHardFault);
  m.core.set_reg(13, SystemMachine::kStack);
  EXPECT_EQ(m.read(kCfsr), cfsr::kStkErr | cfsr::kUndefInstr);
  EXPECT_EQ(m.read(kHfsr), kForced);
}

TEST(Exception, a_frame_that_cannot_be_read_is_a_bus_fault) {
  SystemMachine m;
  m.write(kShcsr, kBusFaultEna);
  m.main({"svc #0", {0xDF00}});
  m.put(m.handler(kSvCall), {"mov sp, r0; bx lr", {0x4685, 0x4770}});
  m.core.set_reg(0, 0x60000000);
  m.core.run(3);
  EXPECT_EQ(m.ipsr(), kBusFault);
  EXPECT_EQ(m.core.reg(14), 0xFFFFFFF9U);
  EXPECT_EQ(m.read(kCfsr), cfsr::kUnstkErr);
}

TEST(Exception, a_vector_that_cannot_be_read_locks_up_when_hard_faults_cannot_either) {
  SystemMachine m;
  m.main({"str r1, [r0]; svc #0; nop", {0x6001, 0xDF00, 0xBF00}});
  m.core.set_reg(0, kVtor);
  m.core.set_reg(1, 0x60000000);
  EXPECT_EQ(m.core.run(3).reason, StopReason::lockup);
  EXPECT_EQ(m.core.instructions(), 2U);
}

TEST(Exception, vectors_may_be_moved) {
  SystemMachine m;
  m.set_word(SystemMachine::kRam + 4 * kSvCall, m.handler(20) | 1);
  m.write(kVtor, SystemMachine::kRam);
  m.main({"svc #0", {0xDF00}});
  m.core.run(1);
  EXPECT_EQ(m.core.pc(), m.handler(20));
}

TEST(Exception, a_thread_may_give_up_privilege_and_a_handler_has_it) {
  SystemMachine m;
  m.main({"msr control, r1; cpsid i; msr primask, r1; mrs r2, msp; ldr r3, [r0]; nop",
          {0xF381, 0x8814, 0xB672, 0xF381, 0x8810, 0xF3EF, 0x8208, 0x6803, 0xBF00}});
  m.core.set_reg(0, kCpuid);
  m.core.set_reg(1, 1);
  m.core.set_reg(2, 5);
  m.write(kShcsr, kBusFaultEna);
  m.core.run(4);
  EXPECT_EQ(m.core.reg(20), 1U << 24) << "no mask has been set";
  EXPECT_EQ(m.core.reg(2), 0U);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), kBusFault);
  EXPECT_EQ(m.read(kBfar), kCpuid);
  EXPECT_EQ(m.read(kCpuid), 0x410FC241U);
}

TEST(Exception, a_reset_may_be_asked_for) {
  SystemMachine m;
  m.main({"str r1, [r0]; nop", {0x6001, 0xBF00}});
  m.core.set_reg(0, kAircr);
  m.core.set_reg(1, 0x05FA0004);
  m.core.set_reg(7, 7);
  m.core.run(1);
  m.core.run(0);
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain);
  EXPECT_EQ(m.core.reg(7), 0U);
  EXPECT_EQ(m.core.instructions(), 1U);
}

}  // namespace
}  // namespace ftlab::iss::arm
