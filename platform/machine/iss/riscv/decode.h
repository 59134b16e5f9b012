// Codes of instructions to names and fields, as in "The RISC-V Instruction Set Manual", volume I. Knows no effects.
#pragma once

#include <cstdint>

#include "platform/machine/iss/riscv/instruction.h"

namespace ftlab::iss::riscv {

/// Whether the halfword is a whole instruction; otherwise it is the lower half of one.
constexpr bool is_compressed(std::uint32_t half) { return (half & 3) != 3; }

/// Of 32 bits.
Instruction decode(std::uint32_t code);

/// Of 16 bits: the instruction of 32 bits that it stands for; 0, which is illegal, for codes that are reserved or
/// belong to extensions that the core has not.
std::uint32_t expand(std::uint32_t half);

/// Of 32 bits, or of 16 in the lower half.
Instruction decode_any(std::uint32_t code);

}  // namespace ftlab::iss::riscv
