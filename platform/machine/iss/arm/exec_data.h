// Steps that compute in registers (ops.inc), without multiplications. Included by the executor alone.
#pragma once

#include <algorithm>
#include <bit>

#include "platform/machine/iss/arm/context.h"

namespace ftlab::iss::arm {

/// Overwrites `carry` when the operand has a carry of its own.
template <Operand kKind>
std::uint32_t second_source(const Registers& g, const Op& op, std::uint32_t& carry) {
  if constexpr (kKind == Operand::imm) {
    return op.imm;
  } else if constexpr (kKind == Operand::imm_c) {
    carry = op.imm >> 31;
    return op.imm;
  } else {
    const std::uint32_t value = g.r[op.rm];
    const unsigned amount = op.ra;
    if constexpr (kKind == Operand::reg) {
      return value;
    } else if constexpr (kKind == Operand::lsl) {
      carry = value >> (32 - amount) & 1;
      return value << amount;
    } else if constexpr (kKind == Operand::lsr) {
      carry = value >> (amount - 1) & 1;
      return static_cast<std::uint32_t>(std::uint64_t{value} >> amount);
    } else if constexpr (kKind == Operand::asr) {
      carry = value >> (amount - 1) & 1;
      return static_cast<std::uint32_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value)) >> amount);
    } else if (amount == 0) {
      const std::uint32_t extended = carry << 31 | value >> 1;
      carry = value & 1;
      return extended;
    } else {
      carry = value >> (amount - 1) & 1;
      return std::rotr(value, static_cast<int>(amount));
    }
  }
}

inline void set_nz(Registers& g, std::uint32_t result) {
  g.n = result;
  g.z = result;
}

struct And {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return a & b; }
};
struct Eor {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return a ^ b; }
};
struct Orr {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return a | b; }
};
struct Orn {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return a | ~b; }
};
struct Bic {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return a & ~b; }
};
struct Mov {
  static std::uint32_t of(std::uint32_t, std::uint32_t b) { return b; }
};
struct Mvn {
  static std::uint32_t of(std::uint32_t, std::uint32_t b) { return ~b; }
};

/// a + b + carry, with C and V.
template <bool kFlags>
std::uint32_t add_with_carry(Registers& g, std::uint32_t a, std::uint32_t b, std::uint32_t carry) {
  const std::uint64_t wide = std::uint64_t{a} + b + carry;
  const auto result = static_cast<std::uint32_t>(wide);
  if constexpr (kFlags) {
    g.c = static_cast<std::uint32_t>(wide >> 32);
    g.v = ((a ^ result) & (b ^ result)) >> 31;
  }
  return result;
}
/// a - b, with C and V.
template <bool kFlags>
std::uint32_t subtract(Registers& g, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t result = a - b;
  if constexpr (kFlags) {
    g.c = a >= b ? 1 : 0;
    g.v = ((a ^ b) & (a ^ result)) >> 31;
  }
  return result;
}

struct Add {
  template <bool kFlags>
  static std::uint32_t of(Registers& g, std::uint32_t a, std::uint32_t b) {
    return add_with_carry<kFlags>(g, a, b, 0);
  }
};
struct Adc {
  template <bool kFlags>
  static std::uint32_t of(Registers& g, std::uint32_t a, std::uint32_t b) {
    return add_with_carry<kFlags>(g, a, b, g.c);
  }
};
struct Sub {
  template <bool kFlags>
  static std::uint32_t of(Registers& g, std::uint32_t a, std::uint32_t b) {
    return subtract<kFlags>(g, a, b);
  }
};
struct Sbc {
  template <bool kFlags>
  static std::uint32_t of(Registers& g, std::uint32_t a, std::uint32_t b) {
    return add_with_carry<kFlags>(g, a, ~b, g.c);
  }
};
struct Rsb {
  template <bool kFlags>
  static std::uint32_t of(Registers& g, std::uint32_t a, std::uint32_t b) {
    return subtract<kFlags>(g, b, a);
  }
};

template <class F>
concept Logic = requires {
  F::of(0U, 0U);
};

/// The result; flags are set when they are wanted.
template <class F, Operand kKind, bool kFlags>
std::uint32_t compute(Registers& g, const Op& op) {
  std::uint32_t carry = g.c;
  const std::uint32_t b = second_source<kKind>(g, op, carry);
  std::uint32_t result = 0;
  if constexpr (Logic<F>) {
    result = F::of(g.r[op.rn], b);
    if constexpr (kFlags && kKind != Operand::imm && kKind != Operand::reg) {
      g.c = carry;
    }
  } else {
    result = F::template of<kFlags>(g, g.r[op.rn], b);
  }
  if constexpr (kFlags) {
    set_nz(g, result);
  }
  return result;
}
template <class F, Operand kKind, bool kFlags>
void alu(Context& m, const Op& op) {
  m.g.r[op.rd] = compute<F, kKind, kFlags>(m.g, op);
}
template <class F, Operand kKind>
void test(Context& m, const Op& op) {
  compute<F, kKind, true>(m.g, op);
}

// Shifts by a register: 1 to 255; by 0 the carry stays.
struct Lsl {
  static std::uint32_t of(std::uint32_t value, unsigned amount, std::uint32_t& carry) {
    carry = amount <= 32 ? value >> (32 - amount) & 1 : 0;
    return amount < 32 ? value << amount : 0;
  }
};
struct Lsr {
  static std::uint32_t of(std::uint32_t value, unsigned amount, std::uint32_t& carry) {
    carry = amount <= 32 ? value >> (amount - 1) & 1 : 0;
    return amount < 32 ? value >> amount : 0;
  }
};
struct Asr {
  static std::uint32_t of(std::uint32_t value, unsigned amount, std::uint32_t& carry) {
    const auto wide = static_cast<std::int64_t>(static_cast<std::int32_t>(value));
    amount = std::min(amount, 32U);
    carry = static_cast<std::uint32_t>(wide >> (amount - 1)) & 1;
    return static_cast<std::uint32_t>(wide >> amount);
  }
};
struct Ror {
  static std::uint32_t of(std::uint32_t value, unsigned amount, std::uint32_t& carry) {
    const std::uint32_t result = std::rotr(value, static_cast<int>(amount & 31));
    carry = result >> 31;
    return result;
  }
};
template <class F, bool kFlags>
void shift(Context& m, const Op& op) {
  Registers& g = m.g;
  std::uint32_t result = g.r[op.rn];
  std::uint32_t carry = g.c;
  if (const unsigned amount = g.r[op.rm] & 0xFF; amount != 0) {
    result = F::of(result, amount, carry);
  }
  g.r[op.rd] = result;
  if constexpr (kFlags) {
    g.c = carry;
    set_nz(g, result);
  }
}

inline void movt(Context& m, const Op& op) { m.g.r[op.rd] = (m.g.r[op.rd] & 0xFFFF) | op.imm << 16; }
inline void bfi(Context& m, const Op& op) {
  m.g.r[op.rd] = (m.g.r[op.rd] & ~op.imm) | (m.g.r[op.rn] << op.ra & op.imm);
}
inline void ubfx(Context& m, const Op& op) { m.g.r[op.rd] = m.g.r[op.rn] << op.ra >> op.imm; }
inline void sbfx(Context& m, const Op& op) {
  m.g.r[op.rd] = static_cast<std::uint32_t>(static_cast<std::int32_t>(m.g.r[op.rn] << op.ra) >> op.imm);
}
inline void clz(Context& m, const Op& op) { m.g.r[op.rd] = static_cast<std::uint32_t>(std::countl_zero(m.g.r[op.rm])); }
inline void rbit(Context& m, const Op& op) {
  std::uint32_t value = __builtin_bswap32(m.g.r[op.rm]);
  value = (value >> 4 & 0x0F0F0F0F) | (value & 0x0F0F0F0F) << 4;
  value = (value >> 2 & 0x33333333) | (value & 0x33333333) << 2;
  m.g.r[op.rd] = (value >> 1 & 0x55555555) | (value & 0x55555555) << 1;
}
inline void rev(Context& m, const Op& op) { m.g.r[op.rd] = __builtin_bswap32(m.g.r[op.rm]); }
inline void rev16(Context& m, const Op& op) { m.g.r[op.rd] = std::rotr(__builtin_bswap32(m.g.r[op.rm]), 16); }
inline void revsh(Context& m, const Op& op) {
  const auto half = static_cast<std::int16_t>(__builtin_bswap16(static_cast<std::uint16_t>(m.g.r[op.rm])));
  m.g.r[op.rd] = static_cast<std::uint32_t>(std::int32_t{half});
}

/// A part of the rotated source, extended.
template <class T>
std::uint32_t extended(const Context& m, const Op& op) {
  const auto part = static_cast<T>(std::rotr(m.g.r[op.rm], static_cast<int>(op.imm)));
  return static_cast<std::uint32_t>(std::int32_t{part});
}
inline void sxtb(Context& m, const Op& op) { m.g.r[op.rd] = extended<std::int8_t>(m, op); }
inline void sxth(Context& m, const Op& op) { m.g.r[op.rd] = extended<std::int16_t>(m, op); }
inline void uxtb(Context& m, const Op& op) { m.g.r[op.rd] = extended<std::uint8_t>(m, op); }
inline void uxth(Context& m, const Op& op) { m.g.r[op.rd] = extended<std::uint16_t>(m, op); }

/// Into [-2^(width-1), 2^(width-1)), or [0, 2^width) unsigned; sets Q where it differs.
inline std::uint32_t saturated(Registers& g, std::int64_t value, unsigned width, bool is_signed) {
  const std::int64_t low = is_signed ? -(std::int64_t{1} << (width - 1)) : 0;
  const std::int64_t high = (std::int64_t{1} << (is_signed ? width - 1 : width)) - 1;
  const std::int64_t result = std::clamp(value, low, high);
  if (result != value) {
    g.q = 1;
  }
  return static_cast<std::uint32_t>(result);
}
inline std::int32_t shifted_source(const Context& m, const Op& op) {
  const std::uint32_t value = m.g.r[op.rn];
  const unsigned amount = op.ra & 31;
  return (op.ra & 32) != 0 ? static_cast<std::int32_t>(value) >> amount : static_cast<std::int32_t>(value << amount);
}
inline void ssat(Context& m, const Op& op) { m.g.r[op.rd] = saturated(m.g, shifted_source(m, op), op.imm, true); }
inline void usat(Context& m, const Op& op) { m.g.r[op.rd] = saturated(m.g, shifted_source(m, op), op.imm, false); }

inline void nop(Context&, const Op&) {}
inline void clrex(Context& m, const Op&) { m.g.exclusive = false; }
inline bool align_sp(Context& m, const Op&) {
  m.g.r[kSp] &= ~3U;
  return !m.leave;
}

}  // namespace ftlab::iss::arm
