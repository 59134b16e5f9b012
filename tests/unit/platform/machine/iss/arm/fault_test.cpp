// Faults: what they record, who handles them, and what is left when nobody can.
#include "tests/unit/platform/machine/iss/arm/system_machine.h"

namespace ftlab::iss::arm {
namespace {

struct FaultRow {
  Code code;
  std::uint32_t r0;
  std::uint32_t ccr;  // beside STKALIGN
  unsigned exception;
  std::uint32_t status;
  std::uint32_t pc;  // on the stack, from the program's start
};
const FaultRow kFaults[] = {
    {{"udf #0", {0xDE00}}, 0, 0, kUsageFault, cfsr::kUndefInstr, 0},
    {{"vadd.f32 s0, s0, s1", {0xEE30, 0x0A20}}, 0, 0, kUsageFault, cfsr::kNoCp, 0},
    {{"nop; udiv r0, r1, r0", {0xBF00, 0xFBB1, 0xF0F0}}, 0, kZeroDivideTrap, kUsageFault, cfsr::kDivByZero, 2},
    {{"sdiv r0, r1, r0", {0xFB91, 0xF0F0}}, 0, kZeroDivideTrap, kUsageFault, cfsr::kDivByZero, 0},
    {{"ldr r1, [r0]", {0x6801}}, 0x20000001, kUnalignedTrap, kUsageFault, cfsr::kUnaligned, 0},
    {{"strh r1, [r0]", {0x8001}}, 0x20000001, kUnalignedTrap, kUsageFault, cfsr::kUnaligned, 0},
    {{"ldr r1, [r0]", {0x6801}}, 0x40000002, 0, kUsageFault, cfsr::kUnaligned, 0},
    {{"bx r0", {0x4700}}, 0x1000, 0, kUsageFault, cfsr::kInvState, 0x1000 - SystemMachine::kMain},
    {{"ldr r1, [r0]", {0x6801}}, 0x60000000, 0, kBusFault, cfsr::kPrecisErr | cfsr::kBfarValid, 0},
    {{"str r1, [r0]", {0x6001}}, 0x00000100, 0, kBusFault, cfsr::kPrecisErr | cfsr::kBfarValid, 0},
    {{"bx r0", {0x4700}}, 0x60000001, 0, kBusFault, cfsr::kIbusErr, 0x60000000 - SystemMachine::kMain},
    {{"bx r0", {0x4700}}, 0x40000001, 0, kMemManage, cfsr::kIaccViol, 0x40000000 - SystemMachine::kMain},
};

void begin(SystemMachine& m, const FaultRow& row) {
  m.main(row.code);
  m.write(kCcr, kStackAlign | row.ccr);
  m.core.set_reg(0, row.r0);
  m.core.set_reg(1, 5);
}
std::uint64_t instructions_of(const FaultRow& row) {
  const bool jumps = row.pc > 2;  // the fault is that of the instruction behind it
  return (row.code.text[0] == 'n' ? 2 : 1) + (jumps ? 1 : 0);
}

TEST(Fault, has_a_handler_of_its_own_when_that_is_enabled) {
  for (const FaultRow& row : kFaults) {
    SCOPED_TRACE(row.code.text);
    SystemMachine m;
    m.write(kShcsr, kMemFaultEna | kBusFaultEna | kUsgFaultEna);
    begin(m, row);
    m.core.run(instructions_of(row));
    EXPECT_EQ(m.ipsr(), row.exception);
    EXPECT_EQ(m.word(m.core.reg(13) + 24), SystemMachine::kMain + row.pc);
    EXPECT_EQ(m.read(kCfsr), row.status);
    EXPECT_EQ(m.read(kHfsr), 0U);
    if ((row.status & cfsr::kBfarValid) != 0) {
      EXPECT_EQ(m.read(kBfar), row.r0);
    }
    m.write(kCfsr, row.status);
    EXPECT_EQ(m.read(kCfsr), 0U) << "ones clear the bits";
  }
}

TEST(Fault, becomes_a_hard_fault_otherwise) {
  for (const FaultRow& row : kFaults) {
    SCOPED_TRACE(row.code.text);
    SystemMachine m;
    begin(m, row);
    m.core.run(instructions_of(row));
    EXPECT_EQ(m.ipsr(), kHardFault);
    EXPECT_EQ(m.read(kCfsr), row.status);
    EXPECT_EQ(m.read(kHfsr), kForced);
  }
}

TEST(Fault, may_end_the_run_in_front_of_a_hard_fault) {
  for (const FaultRow& row : kFaults) {
    SCOPED_TRACE(row.code.text);
    SystemMachine m({.stop_at_hard_fault = true});
    begin(m, row);
    const CoreStop stop = m.core.run(5);
    const bool bus = row.exception != kUsageFault;
    const StopReason reason = bus                              ? StopReason::bus_error
                              : row.status == cfsr::kUnaligned ? StopReason::misaligned
                                                               : StopReason::illegal_instruction;
    EXPECT_EQ(stop.reason, reason);
    EXPECT_EQ(stop.pc, SystemMachine::kMain + row.pc);
    EXPECT_EQ(m.ipsr(), 0U);
    EXPECT_EQ(m.core.reg(1), 5U);
    EXPECT_STRNE(m.core.last_fault().why, "");
  }
}

TEST(Fault, becomes_a_hard_fault_when_its_handler_may_not_interrupt) {
  SystemMachine m;
  m.write(kShcsr, kUsgFaultEna);
  m.main({"cpsid i; udf #0", {0xB672, 0xDE00}});
  m.core.run(2);
  EXPECT_EQ(m.ipsr(), kHardFault);
}

TEST(Fault, svc_that_may_not_interrupt_is_a_hard_fault) {
  SystemMachine m;
  m.main({"cpsid i; svc #0", {0xB672, 0xDF00}});
  m.core.run(2);
  EXPECT_EQ(m.ipsr(), kHardFault);
  EXPECT_EQ(m.read(kHfsr), kForced);
  EXPECT_EQ(m.word(m.core.reg(13) + 24), SystemMachine::kMain + 4);
}

TEST(Fault, in_the_handler_of_hard_faults_locks_up) {
  SystemMachine m;
  m.main({"udf #0", {0xDE00}});
  m.put(m.handler(kHardFault), {"nop; udf #1", {0xBF00, 0xDE01}});
  const CoreStop stop = m.core.run(100);
  EXPECT_EQ(stop.reason, StopReason::lockup);
  EXPECT_EQ(stop.pc, m.handler(kHardFault) + 2);
  EXPECT_EQ(m.core.instructions(), 3U);
  EXPECT_EQ(m.core.run(100).reason, StopReason::lockup);
  EXPECT_EQ(m.core.instructions(), 3U);
}

TEST(Fault, of_data_may_be_ignored_by_the_handler_of_hard_faults) {
  SystemMachine m;
  m.write(kCcr, kStackAlign | kBusFaultIgnored);
  m.main({"udf #0", {0xDE00}});
  m.put(m.handler(kHardFault), {"ldr.w r1, [r0]; movs r2, #1; bx lr", {0xF8D0, 0x1000, 0x2201, 0x4770}});
  m.core.set_reg(0, 0x60000000);
  m.core.run(3);
  EXPECT_EQ(m.core.reg(2), 1U);
  EXPECT_EQ(m.read(kCfsr), cfsr::kUndefInstr | cfsr::kPrecisErr | cfsr::kBfarValid);
}

TEST(Fault, a_breakpoint_without_a_debugger_is_a_hard_fault) {
  SystemMachine m;
  m.main({"bkpt #0", {0xBE00}});
  m.core.run(1);
  EXPECT_EQ(m.ipsr(), kHardFault);
  EXPECT_EQ(m.read(kHfsr), kDebugEvent);
  EXPECT_EQ(m.word(m.core.reg(13) + 24), SystemMachine::kMain);
}

TEST(Fault, a_breakpoint_with_one_ends_the_run) {
  SystemMachine m({.stop_at_bkpt = true});
  m.main({"nop; bkpt #3", {0xBF00, 0xBE03}});
  EXPECT_EQ(m.core.run(5), (CoreStop{StopReason::breakpoint, SystemMachine::kMain + 2, 3}));
  EXPECT_EQ(m.core.instructions(), 1U);
  m.main({"bkpt #0xab; movs r0, #1", {0xBEAB, 0x2001}});
  m.core.set_pc(SystemMachine::kMain);
  EXPECT_EQ(m.core.run(5), (CoreStop{StopReason::environment_call, SystemMachine::kMain, 0xAB}));
  m.core.set_pc(SystemMachine::kMain + 2);
  m.core.run(1);
  EXPECT_EQ(m.core.reg(0), 1U);
}

TEST(Fault, a_repeated_instruction_finds_its_registers_as_they_were) {
  SystemMachine m;
  m.write(kShcsr, kBusFaultEna);
  m.main({"ldm r0!, {r1, r2}", {0xC806}});
  m.put(m.handler(kBusFault), {"bx lr", {0x4770}});
  m.core.set_reg(0, SystemMachine::kRam + 0xFFC);
  m.core.set_reg(1, 5);
  m.core.run(2);
  EXPECT_EQ(m.core.pc(), SystemMachine::kMain);
  EXPECT_EQ(m.core.reg(0), SystemMachine::kRam + 0xFFC);
  EXPECT_EQ(m.core.reg(1), 5U);
}

}  // namespace
}  // namespace ftlab::iss::arm
