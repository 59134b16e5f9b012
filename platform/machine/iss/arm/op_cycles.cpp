#include "platform/machine/iss/arm/op_cycles.h"

#include <algorithm>
#include <bit>

#include "platform/machine/iss/arm/registers.h"

namespace ftlab::iss::arm {
namespace {

constexpr bool between(OpCode code, OpCode first, OpCode last) { return code >= first && code <= last; }

constexpr bool is_load(OpCode code) {
  return between(code, OpCode::ldr_offset, OpCode::ldrsb_literal) || between(code, OpCode::ldrex, OpCode::ldrexb);
}
constexpr bool is_store(OpCode code) {
  return between(code, OpCode::str_offset, OpCode::strb_user) || between(code, OpCode::strex, OpCode::strexb);
}
constexpr bool is_long_product(OpCode code) {
  return between(code, OpCode::umull, OpCode::smlal) || between(code, OpCode::smlal_xy, OpCode::umaal);
}
constexpr bool is_product(OpCode code) {
  return between(code, OpCode::mul, OpCode::mls) || between(code, OpCode::smla_xy, OpCode::smmla);
}
constexpr bool jumps_by_scratch(OpCode code) { return between(code, OpCode::jump_exchange, OpCode::jump_table); }

unsigned several(unsigned registers, const CoreTiming& timing) {
  return timing.multiple + registers * (timing.multiple_register + timing.data_wait);
}

/// Of one step; steps that only prepare or end an instruction take none.
unsigned cycles_of(const Op& op, bool access_follows, const CoreTiming& timing) {
  const OpCode code = op.code;
  if (is_load(code)) return (access_follows ? timing.load_in_row : timing.load) + timing.data_wait;
  if (is_store(code)) return timing.store + timing.data_wait;
  if (is_long_product(code)) return timing.multiply_long;
  if (is_product(code)) return timing.multiply;
  if (between(code, OpCode::beq, OpCode::cbnz)) return timing.branch_taken;
  if (jumps_by_scratch(code)) return timing.jump_register - 1U;
  switch (code) {
    case OpCode::ldm:
    case OpCode::stm:
      return several(static_cast<unsigned>(std::popcount(op.imm)), timing);
    case OpCode::ldrd:
    case OpCode::strd:
      return several(2, timing);
    case OpCode::udiv:
    case OpCode::sdiv:
      return timing.divide_least;
    case OpCode::b:
      return timing.jump;
    case OpCode::bl:
      return timing.call;
    case OpCode::bx:
    case OpCode::blx:
      return timing.jump_register;
    case OpCode::mrs:
    case OpCode::msr:
    case OpCode::cps:
      return timing.special;
    case OpCode::skip_unless:
    case OpCode::align_sp:
    case OpCode::fall:
    case OpCode::end:
    case OpCode::line:
      return 0;
    default:
      return op.rd == kPcOperand ? 0 : timing.alu;
  }
}

}  // namespace

bool is_single_access(std::span<const Op> steps) {
  const bool jumps = std::ranges::any_of(steps, [](const Op& op) { return jumps_by_scratch(op.code); });
  return !jumps && std::ranges::any_of(steps, [](const Op& op) { return is_load(op.code) || is_store(op.code); });
}

unsigned cycles_of(std::span<const Op> steps, bool access_follows, const CoreTiming& timing) {
  const bool in_row = access_follows && is_single_access(steps);
  unsigned cycles = 0;
  for (const Op& op : steps) cycles += cycles_of(op, in_row, timing);
  return std::clamp(cycles, 1U, CoreTiming::kLongest);
}

}  // namespace ftlab::iss::arm
