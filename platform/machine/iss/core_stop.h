// Why a core has returned from run(). Knows neither an instruction set nor what the caller does about it.
#pragma once

#include <cstdint>

namespace ftlab::iss {

enum class StopReason : std::uint8_t {
  budget,               ///< as many instructions as allowed have been executed
  requested,            ///< Core::end_run() was called; the instruction that accessed the bus is complete
  wait_for_interrupt,   ///< WFI or WFE has been executed and no interrupt is pending
  breakpoint,           ///< the debugger's, before its instruction; or the program's own (EBREAK, BKPT)
  watchpoint,           ///< the instruction that made the access is complete
  environment_call,     ///< ECALL, SVC or a semihosting call that the core was asked to report
  illegal_instruction,  ///< with no handler for it, or where the core was asked to report it
  bus_error,            ///< likewise
  misaligned,           ///< likewise
  repeats,  ///< a branch backward at whose target Core::look_for_waits() wants to be told; it has been taken
  lockup,   ///< an exception in the way to an exception's handler: no instruction can be executed any more
};

struct CoreStop {
  StopReason reason = StopReason::budget;
  std::uint32_t pc = 0;       ///< of the next instruction; of the one at fault where an instruction was not completed
  std::uint32_t address = 0;  ///< of the access at fault or watched; the instruction's code if it is illegal
  friend bool operator==(const CoreStop&, const CoreStop&) = default;
};

constexpr const char* name_of(StopReason reason) {
  switch (reason) {
    case StopReason::budget:
      return "budget used";
    case StopReason::requested:
      return "end requested";
    case StopReason::wait_for_interrupt:
      return "waits for an interrupt";
    case StopReason::breakpoint:
      return "breakpoint";
    case StopReason::watchpoint:
      return "watchpoint";
    case StopReason::environment_call:
      return "environment call";
    case StopReason::illegal_instruction:
      return "illegal instruction";
    case StopReason::bus_error:
      return "bus error";
    case StopReason::misaligned:
      return "misaligned access";
    case StopReason::repeats:
      return "repeats itself";
    case StopReason::lockup:
      return "lockup";
  }
  return "?";
}

}  // namespace ftlab::iss
