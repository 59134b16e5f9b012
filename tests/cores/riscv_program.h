// Random programs for RV32IMAC that end behind their last instruction and access no memory but their own. Knows codes
// of instructions, and not what they do.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/cores/dice.h"

namespace ftlab::tests {

struct RiscvProgram {
  std::vector<std::uint16_t> halves;
};

constexpr std::uint32_t kRiscvRam = 0x20000000;
constexpr std::uint32_t kRiscvRamBytes = 4096;

/// What registers hold at first; those that hold addresses in the middle of memory no instruction of a program writes.
std::uint32_t first_value_of(unsigned number, Dice& dice);

RiscvProgram make_riscv_program(Dice& dice);

}  // namespace ftlab::tests
