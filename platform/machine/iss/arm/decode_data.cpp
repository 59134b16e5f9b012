// Encodings of 32 bits that compute in registers, without multiplications.
#include <bit>

#include "platform/machine/iss/arm/decoder.h"

namespace ftlab::iss::arm {
namespace data {
namespace {

// The same operation numbers with a constant and with a shifted register.
struct Operation {
  OpCode alu = OpCode::undefined;
  OpCode test = OpCode::undefined;        // with flags and PC as destination
  OpCode without_rn = OpCode::undefined;  // with PC as first source
};
Operation operation_of(unsigned number) {
  switch (number) {
    case 0:
      return {.alu = OpCode::and_imm, .test = OpCode::tst_imm};
    case 1:
      return {.alu = OpCode::bic_imm};
    case 2:
      return {.alu = OpCode::orr_imm, .without_rn = OpCode::mov_imm};
    case 3:
      return {.alu = OpCode::orn_imm, .without_rn = OpCode::mvn_imm};
    case 4:
      return {.alu = OpCode::eor_imm, .test = OpCode::teq_imm};
    case 8:
      return {.alu = OpCode::add_imm, .test = OpCode::cmn_imm};
    case 10:
      return {.alu = OpCode::adc_imm};
    case 11:
      return {.alu = OpCode::sbc_imm};
    case 13:
      return {.alu = OpCode::sub_imm, .test = OpCode::cmp_imm};
    case 14:
      return {.alu = OpCode::rsb_imm};
    default:
      return {};
  }
}
bool may_use_sp(OpCode alu) { return alu == OpCode::add_imm || alu == OpCode::sub_imm; }

// Destination and first source of both; whether they are allowed.
bool sources_allowed(const Operation& operation, bool s, unsigned rd, unsigned rn) {
  const bool with_sp = may_use_sp(operation.alu);
  if (operation.test != OpCode::undefined && rd == kPc && s) {
    const bool compares = operation.test == OpCode::cmp_imm || operation.test == OpCode::cmn_imm;
    return rn != kPc && (compares || rn != kSp);
  }
  if (rd == kPc || (rd == kSp && !(with_sp && rn == kSp))) {
    return false;
  }
  return rn != kPc && (rn != kSp || with_sp);
}

Operand operand_of(Shift type, std::uint32_t& amount) {
  switch (type) {
    case Shift::lsl:
      return amount == 0 ? Operand::reg : Operand::lsl;
    case Shift::lsr:
      amount = amount == 0 ? 32 : amount;
      return Operand::lsr;
    case Shift::asr:
      amount = amount == 0 ? 32 : amount;
      return Operand::asr;
    default:
      return Operand::ror;
  }
}

void shifted_register(Decoder& d) {
  const Operation operation = operation_of(d.bits(24, 21));
  const bool s = d.bit(20);
  const unsigned rn = d.bits(19, 16);
  const unsigned rd = d.bits(11, 8);
  const unsigned rm = d.bits(3, 0);
  std::uint32_t amount = d.bits(14, 12) << 2 | d.bits(7, 6);
  const Operand operand = operand_of(static_cast<Shift>(d.bits(5, 4)), amount);
  if (operation.alu == OpCode::undefined) {
    return d.undefined(Why::unallocated);
  }
  if (rn == kPc && operation.without_rn != OpCode::undefined) {
    // MOV without flags may name SP once.
    const bool moves = operation.without_rn == OpCode::mov_imm && operand == Operand::reg && !s;
    const bool allowed =
        moves ? rd != kPc && rm != kPc && !(rd == kSp && rm == kSp) : !is_sp_or_pc(rd) && !is_sp_or_pc(rm);
    if (!allowed) {
      return d.undefined(Why::register_not_allowed);
    }
    d.emit_alu(operation.without_rn, operand, s, rd, 0, rm, amount);
    return;
  }
  const bool small_shift = operand == Operand::reg || (operand == Operand::lsl && amount <= 3);
  if (!sources_allowed(operation, s, rd, rn) || is_sp_or_pc(rm) || (rd == kSp && !small_shift)) {
    return d.undefined(Why::register_not_allowed);
  }
  if (rd == kPc) {
    d.emit_test(operation.test, operand, rn, rm, amount);
  } else {
    d.emit_alu(operation.alu, operand, s, rd, rn, rm, amount);
  }
}

void modified_constant(Decoder& d) {
  const Operation operation = operation_of(d.bits(24, 21));
  const bool s = d.bit(20);
  const unsigned rn = d.bits(19, 16);
  const unsigned rd = d.bits(11, 8);
  const std::uint32_t code = d.bits(26, 26) << 11 | d.bits(14, 12) << 8 | d.bits(7, 0);
  const std::uint32_t byte = code & 0xFF;
  std::uint32_t constant = byte;
  Operand operand = Operand::imm;
  if (code >> 10 != 0) {
    constant = std::rotr(0x80 | (code & 0x7F), static_cast<int>(code >> 7));
    operand = Operand::imm_c;
  } else if (code >> 8 != 0) {
    static constexpr std::uint32_t kReplicas[] = {1, 0x00010001, 0x01000100, 0x01010101};
    if (byte == 0) {
      return d.undefined(Why::zero_replicated);
    }
    constant = byte * kReplicas[code >> 8];
  }
  if (operation.alu == OpCode::undefined) {
    return d.undefined(Why::unallocated);
  }
  if (rn == kPc && operation.without_rn != OpCode::undefined) {
    if (is_sp_or_pc(rd)) {
      return d.undefined(Why::register_not_allowed);
    }
    d.emit_alu(operation.without_rn, operand, s, rd, 0, 0, constant);
    return;
  }
  if (!sources_allowed(operation, s, rd, rn)) {
    return d.undefined(Why::register_not_allowed);
  }
  if (rd == kPc) {
    d.emit_test(operation.test, operand, rn, 0, constant);
  } else {
    d.emit_alu(operation.alu, operand, s, rd, rn, 0, constant);
  }
}

std::uint32_t constant_12(const Decoder& d) { return d.bits(26, 26) << 11 | d.bits(14, 12) << 8 | d.bits(7, 0); }

void add_wide(Decoder& d, OpCode first, bool subtract) {
  const unsigned rn = d.bits(19, 16);
  const unsigned rd = d.bits(11, 8);
  const std::uint32_t constant = constant_12(d);
  if (rd == kPc || (rd == kSp && rn != kSp)) {
    return d.undefined(Why::register_not_allowed);
  }
  if (rn == kPc) {
    const std::uint32_t base = d.pc_operand() & ~3U;
    d.emit_alu(OpCode::mov_imm, Operand::imm, false, rd, 0, 0, subtract ? base - constant : base + constant);
    return;
  }
  d.emit_alu(first, Operand::imm, false, rd, rn, 0, constant);
}
void addw(Decoder& d) { add_wide(d, OpCode::add_imm, false); }
void subw(Decoder& d) { add_wide(d, OpCode::sub_imm, true); }
void mov_wide(Decoder& d) {
  const unsigned rd = d.bits(11, 8);
  const std::uint32_t constant = d.bits(19, 16) << 12 | constant_12(d);
  if (is_sp_or_pc(rd)) {
    return d.undefined(Why::register_not_allowed);
  }
  if (d.bit(23)) {
    d.emit(OpCode::movt, rd, 0, 0, constant);
  } else {
    d.emit_alu(OpCode::mov_imm, Operand::imm, false, rd, 0, 0, constant);
  }
}

void saturate(Decoder& d) {
  const unsigned rn = d.bits(19, 16);
  const unsigned rd = d.bits(11, 8);
  const bool is_unsigned = d.bit(23);
  const std::uint32_t amount = d.bits(14, 12) << 2 | d.bits(7, 6);
  if (is_sp_or_pc(rd) || is_sp_or_pc(rn)) {
    return d.undefined(Why::register_not_allowed);
  }
  const std::uint32_t width = d.bits(4, 0) + (is_unsigned ? 0 : 1);
  if (d.bit(21) && amount == 0) {
    if (!d.has_dsp()) {
      return d.undefined(Why::no_dsp);
    }
    if (d.bit(4)) {
      return d.undefined(Why::unallocated);
    }
    d.emit(is_unsigned ? OpCode::usat16 : OpCode::ssat16, rd, rn, 0, width);
    return;
  }
  // The amount, and in bit 5 whether to shift to the right.
  d.emit(is_unsigned ? OpCode::usat : OpCode::ssat, rd, rn, 0, width, amount | (d.bit(21) ? 32 : 0));
}

void bit_field(Decoder& d) {
  const unsigned rn = d.bits(19, 16);
  const unsigned rd = d.bits(11, 8);
  const std::uint32_t lsb = d.bits(14, 12) << 2 | d.bits(7, 6);
  const std::uint32_t last = d.bits(4, 0);
  const bool inserts = d.bits(24, 21) == 0b1011;
  if (is_sp_or_pc(rd) || rn == kSp || (rn == kPc && !inserts)) {
    return d.undefined(Why::register_not_allowed);
  }
  if (inserts) {
    if (last < lsb) {
      return d.undefined(Why::bit_field);
    }
    const std::uint32_t mask = (2U << (last - lsb)) - 1;
    if (rn == kPc) {
      d.emit_alu(OpCode::bic_imm, Operand::imm, false, rd, rd, 0, mask << lsb);
    } else {
      d.emit(OpCode::bfi, rd, rn, 0, mask << lsb, lsb);
    }
    return;
  }
  if (lsb + last > 31) {
    return d.undefined(Why::bit_field);
  }
  // The field is moved to the top first: `ra` to the left, then by the constant to the right.
  d.emit(d.bit(23) ? OpCode::ubfx : OpCode::sbfx, rd, rn, 0, 31 - last, 31 - last - lsb);
}

void shift_register(Decoder& d) {
  static constexpr OpCode kCodes[][2] = {{OpCode::lsl, OpCode::lsl_s},
                                         {OpCode::lsr, OpCode::lsr_s},
                                         {OpCode::asr, OpCode::asr_s},
                                         {OpCode::ror, OpCode::ror_s}};
  const unsigned rn = d.bits(19, 16);
  const unsigned rd = d.bits(11, 8);
  const unsigned rm = d.bits(3, 0);
  if (is_sp_or_pc(rd) || is_sp_or_pc(rn) || is_sp_or_pc(rm)) {
    return d.undefined(Why::register_not_allowed);
  }
  d.emit(kCodes[d.bits(22, 21)][d.bits(20, 20)], rd, rn, rm);
}

void extend_wide(Decoder& d) {
  static constexpr OpCode kPlain[] = {OpCode::sxth,   OpCode::uxth, OpCode::sxtb16,
                                      OpCode::uxtb16, OpCode::sxtb, OpCode::uxtb};
  static constexpr OpCode kAdding[] = {OpCode::sxtah,  OpCode::uxtah, OpCode::sxtb16,
                                       OpCode::uxtb16, OpCode::sxtab, OpCode::uxtab};
  const unsigned which = d.bits(22, 20);
  const unsigned rn = d.bits(19, 16);
  const unsigned rd = d.bits(11, 8);
  const unsigned rm = d.bits(3, 0);
  if (which > 5) {
    return d.undefined(Why::unallocated);
  }
  const bool adds = rn != kPc;
  if ((adds || which == 2 || which == 3) && !d.has_dsp()) {
    return d.undefined(Why::no_dsp);
  }
  if (is_sp_or_pc(rd) || is_sp_or_pc(rm) || rn == kSp) {
    return d.undefined(Why::register_not_allowed);
  }
  // `rn` of the halfword pairs: what they are added to, if anything.
  d.emit((adds ? kAdding : kPlain)[which], rd, rn, rm, d.bits(5, 4) * 8, adds ? 1 : 0);
}

void parallel_arithmetic(Decoder& d) {
  const unsigned rn = d.bits(19, 16);
  const unsigned rd = d.bits(11, 8);
  const unsigned rm = d.bits(3, 0);
  const unsigned which = d.bits(22, 20);
  if (which == 3 || which == 7 || d.bits(5, 4) == 3) {
    return d.undefined(Why::unallocated);
  }
  if (!d.has_dsp()) {
    return d.undefined(Why::no_dsp);
  }
  if (is_sp_or_pc(rd) || is_sp_or_pc(rn) || is_sp_or_pc(rm)) {
    return d.undefined(Why::register_not_allowed);
  }
  // Operation, and the prefix: signed, saturating, halving, each unsigned from 4 on.
  d.emit(OpCode::parallel, rd, rn, rm, which | d.bits(6, 4) << 4);
}

void miscellaneous(Decoder& d) {
  static constexpr OpCode kReversing[] = {OpCode::rev, OpCode::rev16, OpCode::rbit, OpCode::revsh};
  const unsigned rn = d.bits(19, 16);
  const unsigned rd = d.bits(11, 8);
  const unsigned rm = d.bits(3, 0);
  const unsigned group = d.bits(21, 20);
  const unsigned which = d.bits(5, 4);
  if (group >= 2 && which != 0) {
    return d.undefined(Why::unallocated);
  }
  if ((group == 0 || group == 2) && !d.has_dsp()) {
    return d.undefined(Why::no_dsp);
  }
  if (is_sp_or_pc(rd) || is_sp_or_pc(rn) || is_sp_or_pc(rm)) {
    return d.undefined(Why::register_not_allowed);
  }
  if ((group == 1 || group == 3) && rn != rm) {
    return d.undefined(Why::same_register);
  }
  switch (group) {
    case 0:  // bit 0: doubles, bit 1: subtracts
      d.emit(OpCode::qadd, rd, rn, rm, which);
      return;
    case 1:
      d.emit(kReversing[which], rd, 0, rm);
      return;
    case 2:
      d.emit(OpCode::sel, rd, rn, rm);
      return;
    default:
      d.emit(OpCode::clz, rd, 0, rm);
  }
}

void pack_halfword(Decoder& d) {
  const unsigned rn = d.bits(19, 16);
  const unsigned rd = d.bits(11, 8);
  const unsigned rm = d.bits(3, 0);
  const std::uint32_t amount = d.bits(14, 12) << 2 | d.bits(7, 6);
  if (!d.has_dsp()) {
    return d.undefined(Why::no_dsp);
  }
  if (is_sp_or_pc(rd) || is_sp_or_pc(rn) || is_sp_or_pc(rm)) {
    return d.undefined(Why::register_not_allowed);
  }
  d.emit(OpCode::pkh, rd, rn, rm, amount, d.bit(5) ? 1 : 0);
}

constexpr Encoding kEncodings[] = {
    {"1110101 0110 0 nnnn 0 iii dddd ii b0 mmmm", pack_halfword},
    {"1110101 oooo s nnnn 0 iii dddd ii tt mmmm", shifted_register},
    {"11110 i 0 oooo s nnnn 0 iii dddd iiiiiiii", modified_constant},
    {"11110 i 1 0000 0 nnnn 0 iii dddd iiiiiiii", addw},
    {"11110 i 1 0101 0 nnnn 0 iii dddd iiiiiiii", subw},
    {"11110 i 1 0o10 0 iiii 0 iii dddd iiiiiiii", mov_wide},
    {"11110 0 1 1o0h 0 nnnn 0 iii dddd ii 0 wwwww", saturate},
    {"11110 0 1 1011 0 nnnn 0 iii dddd ii 0 wwwww", bit_field},
    {"11110 0 1 1o10 0 nnnn 0 iii dddd ii 0 wwwww", bit_field},
    {"111110100 oo s nnnn 1111 dddd 0000 mmmm", shift_register},
    {"111110100 ooo nnnn 1111 dddd 10 rr mmmm", extend_wide},
    {"111110101 ooo nnnn 1111 dddd 0u pp mmmm", parallel_arithmetic},
    {"1111101010 gg nnnn 1111 dddd 10 pp mmmm", miscellaneous},
};

}  // namespace
}  // namespace data

std::span<const Encoding> data_encodings() { return data::kEncodings; }

}  // namespace ftlab::iss::arm
