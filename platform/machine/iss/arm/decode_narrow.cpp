// Encodings of 16 bits.
#include <bit>

#include "platform/machine/iss/arm/decoder.h"

namespace ftlab::iss::arm {
namespace narrow {
namespace {

// Outside IT blocks most of them set the flags.
void shift_constant(Decoder& d, OpCode mov, Operand operand) {
  std::uint32_t amount = d.bits(10, 6);
  if (operand == Operand::lsl && amount == 0) {
    if (d.in_it()) {
      return d.undefined(Why::in_it_block);
    }
    operand = Operand::reg;
  } else if (amount == 0) {
    amount = 32;
  }
  d.emit_alu(mov, operand, !d.in_it(), d.bits(2, 0), 0, d.bits(5, 3), amount);
}
void lsl_constant(Decoder& d) { shift_constant(d, OpCode::mov_imm, Operand::lsl); }
void lsr_constant(Decoder& d) { shift_constant(d, OpCode::mov_imm, Operand::lsr); }
void asr_constant(Decoder& d) { shift_constant(d, OpCode::mov_imm, Operand::asr); }

void add_register(Decoder& d) {
  const OpCode first = d.bit(9) ? OpCode::sub_imm : OpCode::add_imm;
  d.emit_alu(first, Operand::reg, !d.in_it(), d.bits(2, 0), d.bits(5, 3), d.bits(8, 6), 0);
}
void add_constant_3(Decoder& d) {
  const OpCode first = d.bit(9) ? OpCode::sub_imm : OpCode::add_imm;
  d.emit_alu(first, Operand::imm, !d.in_it(), d.bits(2, 0), d.bits(5, 3), 0, d.bits(8, 6));
}
void mov_constant(Decoder& d) {
  d.emit_alu(OpCode::mov_imm, Operand::imm, !d.in_it(), d.bits(10, 8), 0, 0, d.bits(7, 0));
}
void cmp_constant(Decoder& d) { d.emit_test(OpCode::cmp_imm, Operand::imm, d.bits(10, 8), 0, d.bits(7, 0)); }
void add_constant_8(Decoder& d) {
  const OpCode first = d.bit(11) ? OpCode::sub_imm : OpCode::add_imm;
  d.emit_alu(first, Operand::imm, !d.in_it(), d.bits(10, 8), d.bits(10, 8), 0, d.bits(7, 0));
}

void data_processing(Decoder& d) {
  const unsigned rd = d.bits(2, 0);
  const unsigned rm = d.bits(5, 3);
  const bool s = !d.in_it();
  const auto alu = [&](OpCode first) { d.emit_alu(first, Operand::reg, s, rd, rd, rm, 0); };
  const auto shift = [&](OpCode plain, OpCode with_flags) { d.emit(s ? with_flags : plain, rd, rd, rm); };
  switch (d.bits(9, 6)) {
    case 0:
      return alu(OpCode::and_imm);
    case 1:
      return alu(OpCode::eor_imm);
    case 2:
      return shift(OpCode::lsl, OpCode::lsl_s);
    case 3:
      return shift(OpCode::lsr, OpCode::lsr_s);
    case 4:
      return shift(OpCode::asr, OpCode::asr_s);
    case 5:
      return alu(OpCode::adc_imm);
    case 6:
      return alu(OpCode::sbc_imm);
    case 7:
      return shift(OpCode::ror, OpCode::ror_s);
    case 8:
      d.emit_test(OpCode::tst_imm, Operand::reg, rd, rm, 0);
      return;
    case 9:
      d.emit_alu(OpCode::rsb_imm, Operand::imm, s, rd, rm, 0, 0);
      return;
    case 10:
      d.emit_test(OpCode::cmp_imm, Operand::reg, rd, rm, 0);
      return;
    case 11:
      d.emit_test(OpCode::cmn_imm, Operand::reg, rd, rm, 0);
      return;
    case 12:
      return alu(OpCode::orr_imm);
    case 13:
      d.emit(s ? OpCode::mul_s : OpCode::mul, rd, rd, rm);
      return;
    case 14:
      return alu(OpCode::bic_imm);
    default:
      return alu(OpCode::mvn_imm);
  }
}

void add_high(Decoder& d) {
  const unsigned rd = d.bits(2, 0) | d.bits(7, 7) << 3;
  const unsigned rm = d.bits(6, 3);
  if (rd == kPc) {
    if (rm == kPc) {
      return d.undefined(Why::register_not_allowed);
    }
    if (d.branch_allowed()) {
      const unsigned rn = d.operand(rd);
      d.emit_alu(OpCode::add_imm, Operand::reg, false, kScratch, rn, rm, 0);
      d.emit_end(OpCode::jump);
    }
    return;
  }
  const unsigned second = d.operand(rm);
  d.emit_alu(OpCode::add_imm, Operand::reg, false, rd, rd, second, 0);
}
void cmp_high(Decoder& d) {
  const unsigned rn = d.bits(2, 0) | d.bits(7, 7) << 3;
  const unsigned rm = d.bits(6, 3);
  if ((rn < 8 && rm < 8) || rn == kPc || rm == kPc) {
    return d.undefined(Why::register_not_allowed);
  }
  d.emit_test(OpCode::cmp_imm, Operand::reg, rn, rm, 0);
}
void mov_high(Decoder& d) {
  const unsigned rd = d.bits(2, 0) | d.bits(7, 7) << 3;
  const unsigned rm = d.bits(6, 3);
  if (rd == kPc) {
    if (d.branch_allowed()) {
      const unsigned from = d.operand(rm);
      d.emit_alu(OpCode::mov_imm, Operand::reg, false, kScratch, 0, from, 0);
      d.emit_end(OpCode::jump);
    }
    return;
  }
  const unsigned from = d.operand(rm);
  d.emit_alu(OpCode::mov_imm, Operand::reg, false, rd, 0, from, 0);
}
void branch_exchange(Decoder& d) {
  const unsigned rm = d.bits(6, 3);
  if (d.bit(7) && rm == kPc) {
    return d.undefined(Why::register_not_allowed);
  }
  if (d.branch_allowed()) {
    const unsigned target = d.operand(rm);
    d.emit_end(d.bit(7) ? OpCode::blx : OpCode::bx, target);
  }
}

void load_literal(Decoder& d) {
  const std::uint32_t address = (d.pc_operand() & ~3U) + d.bits(7, 0) * 4;
  d.emit_access(OpCode::ldr_offset, Mode::literal, d.bits(10, 8), 0, 0, address);
}
void access_indexed(Decoder& d) {
  static constexpr OpCode kCodes[] = {OpCode::str_offset,   OpCode::strh_offset, OpCode::strb_offset,
                                      OpCode::ldrsb_offset, OpCode::ldr_offset,  OpCode::ldrh_offset,
                                      OpCode::ldrb_offset,  OpCode::ldrsh_offset};
  d.emit_access(kCodes[d.bits(11, 9)], Mode::indexed, d.bits(2, 0), d.bits(5, 3), d.bits(8, 6), 0);
}
void access_offset(Decoder& d, OpCode store, OpCode load, unsigned scale) {
  d.emit_access(d.bit(11) ? load : store, Mode::offset, d.bits(2, 0), d.bits(5, 3), 0, d.bits(10, 6) << scale);
}
void access_word(Decoder& d) { access_offset(d, OpCode::str_offset, OpCode::ldr_offset, 2); }
void access_byte(Decoder& d) { access_offset(d, OpCode::strb_offset, OpCode::ldrb_offset, 0); }
void access_half(Decoder& d) { access_offset(d, OpCode::strh_offset, OpCode::ldrh_offset, 1); }
void access_stack(Decoder& d) {
  const OpCode first = d.bit(11) ? OpCode::ldr_offset : OpCode::str_offset;
  d.emit_access(first, Mode::offset, d.bits(10, 8), kSp, 0, d.bits(7, 0) * 4);
}

void address_of(Decoder& d) {
  const std::uint32_t offset = d.bits(7, 0) * 4;
  if (d.bit(11)) {
    d.emit_alu(OpCode::add_imm, Operand::imm, false, d.bits(10, 8), kSp, 0, offset);
  } else {
    d.emit_alu(OpCode::mov_imm, Operand::imm, false, d.bits(10, 8), 0, 0, (d.pc_operand() & ~3U) + offset);
  }
}
void adjust_sp(Decoder& d) {
  // A multiple of four leaves the lowest two bits of SP zero.
  d.emit(d.bit(7) ? OpCode::sub_imm : OpCode::add_imm, kSp, kSp, 0, d.bits(6, 0) * 4);
}
void compare_branch(Decoder& d) {
  if (d.in_it()) {
    return d.undefined(Why::in_it_block);
  }
  const std::uint32_t target = d.pc_operand() + (d.bits(9, 9) << 6 | d.bits(7, 3) << 1);
  d.emit_end(d.bit(11) ? OpCode::cbnz : OpCode::cbz, d.bits(2, 0), target);
}
void extend(Decoder& d) {
  static constexpr OpCode kCodes[] = {OpCode::sxth, OpCode::sxtb, OpCode::uxth, OpCode::uxtb};
  d.emit(kCodes[d.bits(7, 6)], d.bits(2, 0), 0, d.bits(5, 3));
}
void push(Decoder& d) {
  const std::uint32_t list = d.bits(7, 0) | d.bits(8, 8) << kLr;
  if (list == 0) {
    return d.undefined(Why::register_list);
  }
  d.emit_multiple(OpCode::stm, true, kSp, list, true);
}
void pop(Decoder& d) {
  const std::uint32_t list = d.bits(7, 0) | d.bits(8, 8) << kScratch;
  if (list == 0) {
    return d.undefined(Why::register_list);
  }
  if (!d.bit(8)) {
    d.emit_multiple(OpCode::ldm, false, kSp, list, true);
  } else if (d.branch_allowed()) {
    d.emit_multiple(OpCode::ldm, false, kSp, list, true);
    d.emit_end(OpCode::jump_exchange);
  }
}
void change_state(Decoder& d) {
  if (d.in_it()) {
    return d.undefined(Why::in_it_block);
  }
  if (d.bits(1, 0) == 0) {
    return d.undefined(Why::special_register);
  }
  d.emit_end(OpCode::cps, 0, d.bits(4, 0));
}
void reverse(Decoder& d) {
  static constexpr OpCode kCodes[] = {OpCode::rev, OpCode::rev16, OpCode::undefined, OpCode::revsh};
  d.emit(kCodes[d.bits(7, 6)], d.bits(2, 0), 0, d.bits(5, 3));
}
void breakpoint(Decoder& d) { d.emit_end(OpCode::bkpt, 0, d.bits(7, 0)); }

void hint(Decoder& d) {
  switch (d.bits(7, 4)) {
    case 2:
      d.emit_end(OpCode::wfe);
      return;
    case 3:
      d.emit_end(OpCode::wfi);
      return;
    case 4:
      d.emit_end(OpCode::sev);
      return;
    default:  // no operation, yield, and what later architectures may define
      d.emit(OpCode::nop);
  }
}
void if_then(Decoder& d) {
  const unsigned condition = d.bits(7, 4);
  if (d.in_it()) {
    return d.undefined(Why::in_it_block);
  }
  // "Always" has no opposite: with it there is no ELSE.
  if (condition == 15 || (condition == 14 && std::popcount(d.bits(3, 0)) != 1)) {
    return d.undefined(Why::it_condition);
  }
  d.emit(OpCode::nop);
  d.begin_it(d.field(7, 0));
}

void multiple(Decoder& d) {
  const unsigned rn = d.bits(10, 8);
  const std::uint32_t list = d.bits(7, 0);
  const bool load = d.bit(11);
  const bool in_list = (list >> rn & 1) != 0;
  if (list == 0 || (!load && in_list && (list & ((1U << rn) - 1)) != 0)) {
    return d.undefined(Why::register_list);
  }
  d.emit_multiple(load ? OpCode::ldm : OpCode::stm, false, rn, list, !(load && in_list));
}

void branch_if(Decoder& d) {
  const auto code = static_cast<unsigned>(OpCode::beq) + d.bits(11, 8);
  if (d.in_it()) {
    return d.undefined(Why::in_it_block);
  }
  d.emit_end(static_cast<OpCode>(code), 0, d.pc_operand() + sign_extended(d.bits(7, 0) << 1, 9));
}
void undefined_for_ever(Decoder& d) { d.undefined(Why::unallocated); }
void supervisor_call(Decoder& d) { d.emit_end(OpCode::svc, 0, d.bits(7, 0)); }
void branch(Decoder& d) {
  if (d.branch_allowed()) {
    d.emit_end(OpCode::b, 0, d.pc_operand() + sign_extended(d.bits(10, 0) << 1, 12));
  }
}

constexpr Encoding kEncodings[] = {
    {"00000iiiiimmmddd", lsl_constant},
    {"00001iiiiimmmddd", lsr_constant},
    {"00010iiiiimmmddd", asr_constant},
    {"000110ommmnnnddd", add_register},
    {"000111oiiinnnddd", add_constant_3},
    {"00100dddiiiiiiii", mov_constant},
    {"00101nnniiiiiiii", cmp_constant},
    {"0011odddiiiiiiii", add_constant_8},
    {"010000oooommmddd", data_processing},
    {"01000100dmmmmddd", add_high},
    {"01000101nmmmmnnn", cmp_high},
    {"01000110dmmmmddd", mov_high},
    {"01000111lmmmm000", branch_exchange},
    {"01001tttiiiiiiii", load_literal},
    {"0101ooommmnnnttt", access_indexed},
    {"0110liiiiinnnttt", access_word},
    {"0111liiiiinnnttt", access_byte},
    {"1000liiiiinnnttt", access_half},
    {"1001ltttiiiiiiii", access_stack},
    {"1010sdddiiiiiiii", address_of},
    {"10110000siiiiiii", adjust_sp},
    {"1011o0i1iiiiinnn", compare_branch},
    {"10110010oommmddd", extend},
    {"1011010mrrrrrrrr", push},
    {"10110110011o00if", change_state},
    {"1011101010mmmddd", undefined_for_ever},
    {"10111010oommmddd", reverse},
    {"1011110prrrrrrrr", pop},
    {"10111110iiiiiiii", breakpoint},
    {"10111111hhhh0000", hint},
    {"10111111ccccmmmm", if_then},
    {"1100lnnnrrrrrrrr", multiple},
    {"11011110iiiiiiii", undefined_for_ever},
    {"11011111iiiiiiii", supervisor_call},
    {"1101cccciiiiiiii", branch_if},
    {"11100iiiiiiiiiii", branch},
};

}  // namespace
}  // namespace narrow

std::span<const Encoding> narrow_encodings() { return narrow::kEncodings; }

}  // namespace ftlab::iss::arm
