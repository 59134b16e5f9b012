// Results of instructions for which C++ has no operator, or one that is undefined for some operands.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "platform/machine/iss/riscv/instruction.h"

namespace ftlab::iss::riscv {

constexpr std::int32_t as_signed(std::uint32_t value) { return static_cast<std::int32_t>(value); }
constexpr std::uint32_t as_unsigned(std::int32_t value) { return static_cast<std::uint32_t>(value); }

constexpr std::uint32_t high_half(std::int64_t product) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(product) >> 32);
}
constexpr std::uint32_t mulh(std::uint32_t a, std::uint32_t b) {
  return high_half(std::int64_t{as_signed(a)} * as_signed(b));
}
constexpr std::uint32_t mulhsu(std::uint32_t a, std::uint32_t b) {
  return high_half(std::int64_t{as_signed(a)} * std::int64_t{b});
}
constexpr std::uint32_t mulhu(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
}

constexpr std::uint32_t magnitude(std::uint32_t value) { return as_signed(value) < 0 ? 0U - value : value; }

/// The quotient does not fit: the lowest number by -1.
constexpr bool overflows(std::uint32_t a, std::uint32_t b) {
  return as_signed(a) == std::numeric_limits<std::int32_t>::min() && as_signed(b) == -1;
}
constexpr std::uint32_t div(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return as_unsigned(-1);
  return overflows(a, b) ? a : as_unsigned(as_signed(a) / as_signed(b));
}
constexpr std::uint32_t divu(std::uint32_t a, std::uint32_t b) { return b == 0 ? as_unsigned(-1) : a / b; }
constexpr std::uint32_t rem(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return a;
  return overflows(a, b) ? 0 : as_unsigned(as_signed(a) % as_signed(b));
}
constexpr std::uint32_t remu(std::uint32_t a, std::uint32_t b) { return b == 0 ? a : a % b; }

/// What an AMO instruction stores.
constexpr std::uint32_t combined(Op op, std::uint32_t old, std::uint32_t operand) {
  switch (op) {
    case Op::amoadd_w:
      return old + operand;
    case Op::amoxor_w:
      return old ^ operand;
    case Op::amoand_w:
      return old & operand;
    case Op::amoor_w:
      return old | operand;
    case Op::amomin_w:
      return as_unsigned(std::min(as_signed(old), as_signed(operand)));
    case Op::amomax_w:
      return as_unsigned(std::max(as_signed(old), as_signed(operand)));
    case Op::amominu_w:
      return std::min(old, operand);
    case Op::amomaxu_w:
      return std::max(old, operand);
    default:
      return operand;  // amoswap.w
  }
}

}  // namespace ftlab::iss::riscv
