// Executes predecoded blocks. Knows steps and their order, and what ends them; exceptions are for others.
#pragma once

#include "platform/machine/iss/arm/context.h"

namespace ftlab::iss::arm {

enum class Left : std::uint8_t {
  due,               ///< so many instructions as were left
  asked,             ///< Context::leave, or a state that only the caller can go on from
  fault,             ///< Context::fault; the PC is that of the instruction, which is counted
  system,            ///< the step Context::at is the caller's; the PC is behind it
  exception_return,  ///< the value stands in the PC
  nowhere,           ///< nothing can be executed at the PC
  breakpoint,        ///< at the PC
};

/// From the start of a block on; PC and ITSTATE are valid afterwards. Context::left must be positive.
Left execute(Context& context, Block* block);

/// ITSTATE behind an instruction.
constexpr std::uint8_t next_it(std::uint8_t it) {
  return (it & 7) == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>((it & 0xE0) | (it << 1 & 0x1F));
}

}  // namespace ftlab::iss::arm
