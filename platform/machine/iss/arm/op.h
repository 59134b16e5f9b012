// One step of predecoded code. An instruction is one step or several, e.g. the load and the jump of "pop {pc}".
// Knows no encoding and does nothing.
#pragma once

#include <cstdint>

namespace ftlab::iss::arm {

/// Operands of the second source of arithmetic and logic, in the order of their steps in ops.inc.
enum class Operand : std::uint8_t {
  imm,    ///< carry stays
  imm_c,  ///< carry is bit 31 of the constant
  reg,
  lsl,  ///< by 1 to 31
  lsr,  ///< by 1 to 32
  asr,
  ror,  ///< by 0: with extension (RRX)
};
constexpr unsigned kOperands = 7;

/// How loads and stores form their address, in the order of their steps in ops.inc.
enum class Mode : std::uint8_t { offset, indexed, pre, post, user, literal };
constexpr unsigned kModes = 6;

#define FTLAB_STEP(name, ...) name,
enum class OpCode : std::uint16_t {
#include "platform/machine/iss/arm/ops.inc"
};
#undef FTLAB_STEP

struct Op {
  OpCode code{};
  std::uint8_t rd = 0;
  std::uint8_t rn = 0;
  std::uint8_t rm = 0;
  std::uint8_t ra = 0;     ///< accumulator, amount of a shift, and the like
  std::uint8_t it = 0;     ///< ITSTATE before the instruction
  std::uint8_t place = 0;  ///< halfwords from the start of the block to the instruction
  std::uint32_t imm = 0;
  std::uint8_t index = 0;   ///< instructions of the block before this one
  std::uint8_t size = 0;    ///< of the instruction in bytes
  std::uint8_t before = 0;  ///< cycles of the block before the instruction
  std::uint8_t why = 0;     ///< of an undefined one
};
static_assert(sizeof(Op) == 16);

}  // namespace ftlab::iss::arm
