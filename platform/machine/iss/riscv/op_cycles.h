// Cycles of instructions by their class.
#pragma once

#include "common/core_timing.h"
#include "platform/machine/iss/riscv/instruction.h"

namespace ftlab::iss::riscv {

/// A branch is taken, a division the shortest.
unsigned cycles_of(const Instruction& instruction, const CoreTiming& timing);

}  // namespace ftlab::iss::riscv
