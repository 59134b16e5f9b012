// Registers of the interrupt controller and the system control block, by the ARMv7-M Architecture Reference Manual, B3.
#include "tests/unit/platform/machine/iss/arm/system_machine.h"

namespace ftlab::iss::arm {
namespace {

TEST(Nvic, interrupts_are_enabled_and_disabled_by_ones) {
  SystemMachine m;
  m.write(kIser, 0x5);
  m.write(kIser, 0x2);
  EXPECT_EQ(m.read(kIser), 0x7U);
  EXPECT_EQ(m.read(kIcer), 0x7U);
  m.write(kIcer, 0x3);
  EXPECT_EQ(m.read(kIser), 0x4U);
}

TEST(Nvic, only_lines_that_exist_can_be_enabled) {
  SystemMachine m({.interrupts = 40});
  m.write(kIser, 0xFFFFFFFF);
  m.write(kIser + 4, 0xFFFFFFFF);
  m.write(kIser + 8, 0xFFFFFFFF);
  EXPECT_EQ(m.read(kIser), 0xFFFFFFFFU);
  EXPECT_EQ(m.read(kIser + 4), 0xFFU);
  EXPECT_EQ(m.read(kIser + 8), 0U);
  EXPECT_EQ(m.read(kIctr), 1U);
}

TEST(Nvic, pending_may_be_set_and_cleared) {
  SystemMachine m;
  m.write(kIspr, 0x10);
  EXPECT_EQ(m.read(kIspr), 0x10U);
  EXPECT_EQ(m.read(kIcsr) >> 22 & 1, 1U) << "an interrupt is pending, enabled or not";
  m.write(kIcpr, 0x10);
  EXPECT_EQ(m.read(kIspr), 0U);
  m.write(kStir, 5);
  EXPECT_EQ(m.read(kIspr), 0x20U);
}

TEST(Nvic, a_pending_interrupt_is_taken_when_it_is_enabled) {
  SystemMachine m;
  m.write(kIspr, 0x10);
  m.main({"str r1, [r0]; nop", {0x6001, 0xBF00}});
  m.put(m.interrupt(4), {"nop", {0xBF00}});
  m.core.set_reg(0, kIser);
  m.core.set_reg(1, 0x10);
  m.core.run(2);
  EXPECT_EQ(m.ipsr(), 20U);
  EXPECT_EQ(m.read(kIabr), 0x10U);
  EXPECT_EQ(m.read(kIcsr) & 0x1FF, 20U);
  EXPECT_EQ(m.read(kIspr), 0U);
}

TEST(Nvic, a_line_that_stays_high_interrupts_again) {
  SystemMachine m;
  m.write(kIser, 1);
  m.main({"nop; nop", {0xBF00, 0xBF00}});
  m.core.set_interrupt(0, true);
  m.core.run(1);  // the handler's only instruction
  EXPECT_EQ(m.ipsr(), 16U);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 16U);
  m.core.set_interrupt(0, false);
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), 0U);
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain);
}

TEST(Nvic, a_pulse_is_remembered) {
  SystemMachine m;
  m.main({"nop", {0xBF00}});
  m.core.set_interrupt(3, true);
  m.core.set_interrupt(3, false);
  EXPECT_EQ(m.read(kIspr), 8U);
  m.core.set_interrupt(3, true);
  m.write(kIcpr, 8);
  EXPECT_EQ(m.read(kIspr), 8U) << "a line that is high makes it pending at once";
}

TEST(Nvic, priorities_have_as_many_bits_as_the_core) {
  SystemMachine m({.priority_bits = 4});
  m.write(kIpr + 4, 0xFFFFFFFF);
  EXPECT_EQ(m.read(kIpr + 4), 0xF0F0F0F0U);
  m.write_byte(kIpr + 5, 0x37);
  EXPECT_EQ(m.read(kIpr + 4), 0xF0F030F0U);
  EXPECT_EQ(m.read_half(kIpr + 4), 0x30F0U);
  m.write(kIpr + 32, 0xFFFFFFFF);
  EXPECT_EQ(m.read(kIpr + 32), 0U) << "there are no such lines";
}

TEST(SystemControl, priorities_of_the_core_itself) {
  SystemMachine m;
  m.write(kShpr, 0xFFFFFFFF);
  m.write(kShpr + 4, 0xFFFFFFFF);
  m.write(kShpr + 8, 0xFFFFFFFF);
  EXPECT_EQ(m.read(kShpr), 0x00E0E0E0U);
  EXPECT_EQ(m.read(kShpr + 4), 0xE0000000U);
  EXPECT_EQ(m.read(kShpr + 8), 0xE0E000E0U);
}

TEST(SystemControl, registers_read_as_written) {
  SystemMachine m;
  EXPECT_EQ(m.read(kCpuid), 0x410FC241U);
  EXPECT_EQ(m.read(kCcr), kStackAlign);
  m.write(kVtor, 0x20000080);
  EXPECT_EQ(m.read(kVtor), 0x20000080U);
  m.write(kAircr, 0x05FA0300);
  EXPECT_EQ(m.read(kAircr), 0xFA050300U);
  m.write(kAircr, 0x00000700);
  EXPECT_EQ(m.read(kAircr), 0xFA050300U) << "without the key nothing is written";
  m.write(kScr, 0xFF);
  EXPECT_EQ(m.read(kScr), 0x16U);
  m.core.set_reg(20, 1);  // PRIMASK
  m.write(kShcsr, kMemFaultEna | kUsgFaultEna | 1U << 15);
  EXPECT_EQ(m.read(kShcsr), kMemFaultEna | kUsgFaultEna | 1U << 15);
  EXPECT_EQ(m.read(0xE000ED90), 0U) << "no MPU";
  EXPECT_EQ(SystemMachine({.model = Model::cortex_m3}).read(kCpuid), 0x412FC231U);
}

TEST(SystemControl, exceptions_are_set_and_cleared) {
  SystemMachine m;
  m.main({"nop", {0xBF00}});
  m.core.set_reg(20, 1);  // PRIMASK
  m.write(kIcsr, 1U << 28 | 1U << 26);
  EXPECT_EQ(m.read(kIcsr) & (1U << 28 | 1U << 26), 1U << 28 | 1U << 26);
  EXPECT_EQ(m.read(kIcsr) >> 12 & 0x1FF, kPendSv) << "the first of those that are pending";
  m.write(kIcsr, 1U << 27 | 1U << 25);
  EXPECT_EQ(m.read(kIcsr), 1U << 11);
}

TEST(SystemControl, addresses_without_a_register_are_bus_errors) {
  for (const std::uint32_t address : {0xE000E008U, 0xE0001000U, 0xE000ED84U, 0xE0100000U}) {
    SystemMachine m({.stop_at_hard_fault = true});
    m.main({"ldr r1, [r0]", {0x6801}});
    m.core.set_reg(0, address);
    EXPECT_EQ(m.core.run(1).reason, StopReason::bus_error) << std::hex << address;
  }
}

TEST(SystemControl, a_request_for_an_interrupt_may_be_allowed_without_privilege) {
  for (const bool allowed : {false, true}) {
    SystemMachine m;
    m.write(kCcr, kStackAlign | (allowed ? kUserSetPending : 0));
    m.main({"str r1, [r0]", {0x6001}});
    m.core.set_reg(20, 1U << 24);
    m.core.set_reg(0, kStir);
    m.core.set_reg(1, 2);
    m.core.run(1);
    EXPECT_EQ(m.ipsr(), allowed ? 0U : kHardFault);
    m.core.set_reg(20, 0);
    EXPECT_EQ(m.read(kIspr), allowed ? 4U : 0U);
  }
}

}  // namespace
}  // namespace ftlab::iss::arm
