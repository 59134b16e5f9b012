// Steps that multiply, divide, and work on parts of registers (ops.inc). Included by the executor alone.
#pragma once

#include "platform/machine/iss/arm/exec_data.h"

namespace ftlab::iss::arm {

inline std::int64_t as_signed(std::uint32_t value) { return static_cast<std::int32_t>(value); }

inline void mul(Context& m, const Op& op) { m.g.r[op.rd] = m.g.r[op.rn] * m.g.r[op.rm]; }
inline void mul_s(Context& m, const Op& op) {
  mul(m, op);
  set_nz(m.g, m.g.r[op.rd]);
}
inline void mla(Context& m, const Op& op) { m.g.r[op.rd] = m.g.r[op.ra] + m.g.r[op.rn] * m.g.r[op.rm]; }
inline void mls(Context& m, const Op& op) { m.g.r[op.rd] = m.g.r[op.ra] - m.g.r[op.rn] * m.g.r[op.rm]; }

// Results of two words: the low one in `ra`, the high one in `rd`.
inline std::uint64_t long_of(const Context& m, const Op& op) {
  return std::uint64_t{m.g.r[op.rd]} << 32 | m.g.r[op.ra];
}
inline void set_long(Context& m, const Op& op, std::uint64_t value) {
  m.g.r[op.ra] = static_cast<std::uint32_t>(value);
  m.g.r[op.rd] = static_cast<std::uint32_t>(value >> 32);
}
inline std::uint64_t unsigned_product(const Context& m, const Op& op) {
  return std::uint64_t{m.g.r[op.rn]} * m.g.r[op.rm];
}
inline std::uint64_t signed_product(const Context& m, const Op& op) {
  return static_cast<std::uint64_t>(as_signed(m.g.r[op.rn]) * as_signed(m.g.r[op.rm]));
}
inline void umull(Context& m, const Op& op) { set_long(m, op, unsigned_product(m, op)); }
inline void umlal(Context& m, const Op& op) { set_long(m, op, long_of(m, op) + unsigned_product(m, op)); }
inline void smull(Context& m, const Op& op) { set_long(m, op, signed_product(m, op)); }
inline void smlal(Context& m, const Op& op) { set_long(m, op, long_of(m, op) + signed_product(m, op)); }
inline void umaal(Context& m, const Op& op) { set_long(m, op, unsigned_product(m, op) + m.g.r[op.ra] + m.g.r[op.rd]); }

inline bool zero_divide(Context& m, const Op& op) {
  if (m.zero_divide_is_a_fault) {
    m.fault = Fault::divide_by_zero();
    return false;
  }
  m.g.r[op.rd] = 0;
  return true;
}
/// The time of a division beyond the least.
inline bool divided(Context& m, std::uint32_t dividend, std::uint32_t divisor) {
  m.wait(m.timing.divide_more(dividend, divisor));
  return !m.leave;
}
inline std::uint32_t magnitude(std::uint32_t value) { return as_signed(value) < 0 ? 0U - value : value; }
inline bool udiv(Context& m, const Op& op) {
  const std::uint32_t divisor = m.g.r[op.rm];
  if (divisor == 0) [[unlikely]] {
    return zero_divide(m, op);
  }
  const std::uint32_t dividend = m.g.r[op.rn];
  m.g.r[op.rd] = dividend / divisor;
  return divided(m, dividend, divisor);
}
inline bool sdiv(Context& m, const Op& op) {
  const std::uint32_t divisor = m.g.r[op.rm];
  if (divisor == 0) [[unlikely]] {
    return zero_divide(m, op);
  }
  // In 64 bits, where the smallest number divided by -1 does not overflow.
  const std::uint32_t dividend = m.g.r[op.rn];
  m.g.r[op.rd] = static_cast<std::uint32_t>(as_signed(dividend) / as_signed(divisor));
  return divided(m, magnitude(dividend), magnitude(divisor));
}

// The DSP extension.
inline std::int32_t half(std::uint32_t value, bool top) { return static_cast<std::int16_t>(top ? value >> 16 : value); }
inline std::int64_t accumulator(const Context& m, const Op& op) { return op.ra == kPc ? 0 : as_signed(m.g.r[op.ra]); }
/// The lower word; sets Q when the sum does not fit.
inline std::uint32_t overflowing(Registers& g, std::int64_t sum) {
  if (sum != static_cast<std::int32_t>(sum)) {
    g.q = 1;
  }
  return static_cast<std::uint32_t>(sum);
}
/// Two products of halves, the second source exchanged by bit 0 of the constant, their difference by bit 1.
inline std::int64_t dual_product(const Context& m, const Op& op) {
  const std::uint32_t a = m.g.r[op.rn];
  const std::uint32_t b = std::rotr(m.g.r[op.rm], (op.imm & 1) != 0 ? 16 : 0);
  const std::int64_t low = std::int64_t{half(a, false)} * half(b, false);
  const std::int64_t high = std::int64_t{half(a, true)} * half(b, true);
  return (op.imm & 2) != 0 ? low - high : low + high;
}
inline std::int64_t half_product(const Context& m, const Op& op) {
  return std::int64_t{half(m.g.r[op.rn], (op.imm & 2) != 0)} * half(m.g.r[op.rm], (op.imm & 1) != 0);
}
inline void smla_xy(Context& m, const Op& op) {
  m.g.r[op.rd] = overflowing(m.g, half_product(m, op) + accumulator(m, op));
}
inline void smlaw(Context& m, const Op& op) {
  const std::int64_t product = as_signed(m.g.r[op.rn]) * half(m.g.r[op.rm], op.imm != 0);
  m.g.r[op.rd] = overflowing(m.g, (product >> 16) + accumulator(m, op));
}
inline void smlad(Context& m, const Op& op) {
  m.g.r[op.rd] = overflowing(m.g, dual_product(m, op) + accumulator(m, op));
}
inline void smmla(Context& m, const Op& op) {
  const std::uint64_t product = signed_product(m, op);
  const auto sum = static_cast<std::uint64_t>(accumulator(m, op)) << 32;
  const std::uint64_t result = ((op.imm & 2) != 0 ? sum - product : sum + product) + ((op.imm & 1) != 0 ? 1U << 31 : 0);
  m.g.r[op.rd] = static_cast<std::uint32_t>(result >> 32);
}
inline void smlal_xy(Context& m, const Op& op) {
  set_long(m, op, long_of(m, op) + static_cast<std::uint64_t>(half_product(m, op)));
}
inline void smlald(Context& m, const Op& op) {
  set_long(m, op, long_of(m, op) + static_cast<std::uint64_t>(dual_product(m, op)));
}

inline void pkh(Context& m, const Op& op) {
  const std::uint32_t a = m.g.r[op.rn];
  const std::uint32_t b = m.g.r[op.rm];
  if (op.ra == 0) {  // low half of the first, high half of the second
    m.g.r[op.rd] = (a & 0xFFFF) | (b << op.imm & 0xFFFF0000);
  } else {
    const std::uint32_t shifted = static_cast<std::uint32_t>(as_signed(b) >> (op.imm == 0 ? 32 : op.imm));
    m.g.r[op.rd] = (a & 0xFFFF0000) | (shifted & 0xFFFF);
  }
}
inline void sxtab(Context& m, const Op& op) { m.g.r[op.rd] = m.g.r[op.rn] + extended<std::int8_t>(m, op); }
inline void sxtah(Context& m, const Op& op) { m.g.r[op.rd] = m.g.r[op.rn] + extended<std::int16_t>(m, op); }
inline void uxtab(Context& m, const Op& op) { m.g.r[op.rd] = m.g.r[op.rn] + extended<std::uint8_t>(m, op); }
inline void uxtah(Context& m, const Op& op) { m.g.r[op.rd] = m.g.r[op.rn] + extended<std::uint16_t>(m, op); }
template <class T>
void extend_pair(Context& m, const Op& op) {
  const std::uint32_t value = std::rotr(m.g.r[op.rm], static_cast<int>(op.imm));
  const std::uint32_t added = op.ra != 0 ? m.g.r[op.rn] : 0;
  const auto low = static_cast<std::uint32_t>(std::int32_t{static_cast<T>(value)}) + added;
  const auto high = static_cast<std::uint32_t>(std::int32_t{static_cast<T>(value >> 16)}) + (added >> 16);
  m.g.r[op.rd] = (low & 0xFFFF) | high << 16;
}
inline void sxtb16(Context& m, const Op& op) { extend_pair<std::int8_t>(m, op); }
inline void uxtb16(Context& m, const Op& op) { extend_pair<std::uint8_t>(m, op); }
inline void saturate_pair(Context& m, const Op& op, bool is_signed) {
  const std::uint32_t value = m.g.r[op.rn];
  const std::uint32_t low = saturated(m.g, half(value, false), op.imm, is_signed);
  const std::uint32_t high = saturated(m.g, half(value, true), op.imm, is_signed);
  m.g.r[op.rd] = (low & 0xFFFF) | high << 16;
}
inline void ssat16(Context& m, const Op& op) { saturate_pair(m, op, true); }
inline void usat16(Context& m, const Op& op) { saturate_pair(m, op, false); }
inline void qadd(Context& m, const Op& op) {
  std::int64_t b = as_signed(m.g.r[op.rn]);
  if ((op.imm & 1) != 0) {
    b = static_cast<std::int32_t>(saturated(m.g, 2 * b, 32, true));
  }
  const std::int64_t a = as_signed(m.g.r[op.rm]);
  m.g.r[op.rd] = saturated(m.g, (op.imm & 2) != 0 ? a - b : a + b, 32, true);
}
inline void sel(Context& m, const Op& op) {
  std::uint32_t mask = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    mask |= (m.g.ge >> byte & 1) != 0 ? 0xFFU << 8 * byte : 0;
  }
  m.g.r[op.rd] = (m.g.r[op.rn] & mask) | (m.g.r[op.rm] & ~mask);
}
inline void usada8(Context& m, const Op& op) {
  auto sum = static_cast<std::uint32_t>(accumulator(m, op));
  for (unsigned byte = 0; byte < 32; byte += 8) {
    const auto a = static_cast<std::int32_t>(m.g.r[op.rn] >> byte & 0xFF);
    const auto b = static_cast<std::int32_t>(m.g.r[op.rm] >> byte & 0xFF);
    sum += static_cast<std::uint32_t>(a > b ? a - b : b - a);
  }
  m.g.r[op.rd] = sum;
}

/// One lane of parallel arithmetic by its prefix; `ge`: the greater-or-equal flag of the lane.
template <unsigned kBits>
std::uint32_t lane(unsigned prefix, bool subtracts, std::uint32_t a, std::uint32_t b, bool& ge) {
  constexpr std::int32_t kAll = (1 << kBits) - 1;
  constexpr std::int32_t kTop = 1 << (kBits - 1);
  const bool is_unsigned = prefix >= 4;
  const auto value = [&](std::uint32_t field) {
    const auto raw = static_cast<std::int32_t>(field) & kAll;
    return is_unsigned ? raw : (raw ^ kTop) - kTop;
  };
  std::int32_t result = subtracts ? value(a) - value(b) : value(a) + value(b);
  ge = is_unsigned && !subtracts ? result > kAll : result >= 0;
  if (prefix == 1) {
    result = std::clamp(result, -kTop, kTop - 1);
  } else if (prefix == 5) {
    result = std::clamp(result, 0, kAll);
  } else if (prefix == 2 || prefix == 6) {
    result >>= 1;
  }
  return static_cast<std::uint32_t>(result & kAll);
}
/// Operations 0 to 6 as encoded: add8, add16, asx, -, sub8, sub16, sax.
inline void parallel(Context& m, const Op& op) {
  const unsigned which = op.imm & 15;
  const unsigned prefix = op.imm >> 4;
  const std::uint32_t a = m.g.r[op.rn];
  std::uint32_t b = m.g.r[op.rm];
  std::uint32_t result = 0;
  std::uint32_t flags = 0;
  bool ge = false;
  if ((which & 3) == 0) {
    for (unsigned byte = 0; byte < 4; ++byte) {
      result |= lane<8>(prefix, which == 4, a >> 8 * byte, b >> 8 * byte, ge) << 8 * byte;
      flags |= ge ? 1U << byte : 0;
    }
  } else {
    const bool exchanged = (which & 3) == 2;
    b = exchanged ? std::rotr(b, 16) : b;
    const bool low_subtracts = which == 5 || which == 2;
    const bool high_subtracts = which == 5 || which == 6;
    result = lane<16>(prefix, low_subtracts, a, b, ge);
    flags = ge ? 3 : 0;
    result |= lane<16>(prefix, high_subtracts, a >> 16, b >> 16, ge) << 16;
    flags |= ge ? 12 : 0;
  }
  m.g.r[op.rd] = result;
  // Those that saturate or halve leave the flags alone.
  if ((prefix & 3) == 0) {
    m.g.ge = flags;
  }
}

}  // namespace ftlab::iss::arm
