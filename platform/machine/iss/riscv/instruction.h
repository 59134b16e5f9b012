// The instructions of RV32IMAC with Zicsr and Zifencei, as names and fields. Knows neither their codes nor their
// effects.
#pragma once

#include <cstdint>

namespace ftlab::iss::riscv {

enum class Op : std::uint8_t {
#define FTLAB_OP(name) name,
#include "platform/machine/iss/riscv/ops.inc"
#undef FTLAB_OP
};

/// In the order of ops.inc.
constexpr bool between(Op op, Op first, Op last) { return op >= first && op <= last; }

struct Instruction {
  Op op = Op::illegal;
  std::uint8_t rd = 0;
  std::uint8_t rs1 = 0;  ///< the immediate of csrrwi, csrrsi and csrrci
  std::uint8_t rs2 = 0;
  std::uint8_t bytes = 4;  ///< 2 if it was compressed
  std::uint32_t imm = 0;   ///< sign-extended; a shift's amount, a CSR's number; the whole code of an illegal one
};

}  // namespace ftlab::iss::riscv
