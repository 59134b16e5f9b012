// Semihosting: a breakpoint instruction by which a program calls whoever runs it, as "Semihosting for AArch32 and
// AArch64" (Arm) and "RISC-V Semihosting" have it. Knows how the two cores call; not what becomes of a call.
#pragma once

#include <cstdint>
#include <optional>

#include "platform/machine/core/program_memory.h"
#include "platform/machine/core/target_core.h"

namespace ftlab::platform {

struct SemihostingCall {
  static constexpr std::uint32_t kWriteCharacter = 0x03;  ///< SYS_WRITEC: `argument` is the address of it
  static constexpr std::uint32_t kWriteText = 0x04;     ///< SYS_WRITE0: `argument` is the address of text that a 0 ends
  static constexpr std::uint32_t kExit = 0x18;          ///< SYS_EXIT: `argument` says why
  static constexpr std::uint32_t kExitExtended = 0x20;  ///< SYS_EXIT_EXTENDED: `argument` is the address of why
  static constexpr std::uint32_t kApplicationExit = 0x20026;

  std::uint32_t operation = 0;
  std::uint32_t argument = 0;
};

/// The call at whose instruction the core has stopped; nothing: it is another breakpoint.
std::optional<SemihostingCall> semihosting_call(const TargetCore& core, ProgramMemory& memory);
/// The core goes on behind it.
void answer_semihosting(TargetCore& core, ProgramMemory& memory);

}  // namespace ftlab::platform
