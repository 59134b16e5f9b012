#include "platform/machine/iss/riscv/op_cycles.h"

#include <algorithm>

namespace ftlab::iss::riscv {
namespace {

unsigned unclamped(const Instruction& instruction, const CoreTiming& timing) {
  const Op op = instruction.op;
  if (between(op, Op::beq, Op::bgeu)) return timing.branch_taken;
  if (between(op, Op::lb, Op::lhu)) return timing.load + timing.data_wait;
  if (between(op, Op::sb, Op::sw)) return timing.store + timing.data_wait;
  if (between(op, Op::mulh, Op::mulhu)) return timing.multiply_long;
  if (between(op, Op::div, Op::remu)) return timing.divide_least;
  // It loads and stores.
  if (between(op, Op::lr_w, Op::amomaxu_w)) return timing.load + timing.store + 2U * timing.data_wait;
  if (between(op, Op::csrrw, Op::csrrci)) return timing.special;
  switch (op) {
    case Op::jal:
      return instruction.rd == 0 ? timing.jump : timing.call;
    case Op::jalr:
      return timing.jump_register;
    case Op::mul:
      return timing.multiply;
    case Op::fence:
    case Op::fence_i:
      return timing.fence;
    case Op::mret:
      return timing.jump_register + timing.exception_exit;
    default:
      return timing.alu;
  }
}

}  // namespace

unsigned cycles_of(const Instruction& instruction, const CoreTiming& timing) {
  return std::clamp(unclamped(instruction, timing), 1U, CoreTiming::kLongest);
}

}  // namespace ftlab::iss::riscv
