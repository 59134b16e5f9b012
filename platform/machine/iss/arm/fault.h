// What can go wrong in an instruction, in the words and bits of the status registers. Knows no exception entry.
#pragma once

#include <cstdint>

namespace ftlab::iss::arm {

/// Numbers of exceptions.
constexpr unsigned kReset = 1, kNmi = 2, kHardFault = 3, kMemManage = 4, kBusFault = 5, kUsageFault = 6, kSvCall = 11,
                   kDebugMonitor = 12, kPendSv = 14, kSysTick = 15, kFirstInterrupt = 16;

/// Bits of the Configurable Fault Status Register.
namespace cfsr {
constexpr std::uint32_t kIaccViol = 1U << 0, kMmarValid = 1U << 7, kIbusErr = 1U << 8, kPrecisErr = 1U << 9,
                        kUnstkErr = 1U << 11, kStkErr = 1U << 12, kBfarValid = 1U << 15, kUndefInstr = 1U << 16,
                        kInvState = 1U << 17, kInvPc = 1U << 18, kNoCp = 1U << 19, kUnaligned = 1U << 24,
                        kDivByZero = 1U << 25;
}  // namespace cfsr

struct Fault {
  unsigned exception = 0;  ///< 0: none
  std::uint32_t status = 0;
  std::uint32_t address = 0;  ///< of the access, or the instruction's code
  const char* why = "";

  static Fault bus(std::uint32_t address) {
    return {kBusFault, cfsr::kPrecisErr | cfsr::kBfarValid, address, "nothing answers at this address"};
  }
  static Fault unaligned(std::uint32_t address) {
    return {kUsageFault, cfsr::kUnaligned, address, "the address is not a multiple of the size of the access"};
  }
  static Fault divide_by_zero() { return {kUsageFault, cfsr::kDivByZero, 0, "division by zero"}; }
  static Fault undefined(std::uint32_t code, const char* why) { return {kUsageFault, cfsr::kUndefInstr, code, why}; }
  static Fault no_coprocessor(std::uint32_t code) {
    return {kUsageFault, cfsr::kNoCp, code, "this core has no coprocessor and no floating-point unit"};
  }
  static Fault invalid_state(std::uint32_t pc) {
    return {kUsageFault, cfsr::kInvState, pc, "a jump to an even address: these cores know Thumb code alone"};
  }
  static Fault invalid_return(std::uint32_t value) {
    return {kUsageFault, cfsr::kInvPc, value, "the exception return does not fit the state that it returns to"};
  }
  /// What the default memory map says about the address decides the kind.
  static Fault fetch(std::uint32_t pc) {
    const std::uint32_t zone = pc >> 29;
    if (zone == 2 || zone >= 5) {
      return {kMemManage, cfsr::kIaccViol, pc, "instructions cannot be executed in a region of devices"};
    }
    return {kBusFault, cfsr::kIbusErr, pc, "no memory holds an instruction at this address"};
  }
};

}  // namespace ftlab::iss::arm
