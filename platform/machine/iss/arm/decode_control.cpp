// Encodings of 32 bits that branch or concern the system.
#include "platform/machine/iss/arm/decoder.h"

namespace ftlab::iss::arm {
namespace control {
namespace {

void branch_if(Decoder& d) {
  const std::uint32_t offset =
      d.bits(26, 26) << 20 | d.bits(11, 11) << 19 | d.bits(13, 13) << 18 | d.bits(21, 16) << 12 | d.bits(10, 0) << 1;
  if (d.in_it()) {
    return d.undefined(Why::in_it_block);
  }
  const auto code = static_cast<unsigned>(OpCode::beq) + d.bits(25, 22);
  d.emit_end(static_cast<OpCode>(code), 0, d.pc_operand() + sign_extended(offset, 21));
}

std::uint32_t far_target(const Decoder& d) {
  const std::uint32_t sign = d.bits(26, 26);
  const std::uint32_t i1 = ~(d.bits(13, 13) ^ sign) & 1;
  const std::uint32_t i2 = ~(d.bits(11, 11) ^ sign) & 1;
  const std::uint32_t offset = sign << 24 | i1 << 23 | i2 << 22 | d.bits(25, 16) << 12 | d.bits(10, 0) << 1;
  return d.pc_operand() + sign_extended(offset, 25);
}
void branch(Decoder& d) {
  if (d.branch_allowed()) {
    d.emit_end(OpCode::b, 0, far_target(d));
  }
}
void branch_with_link(Decoder& d) {
  if (d.branch_allowed()) {
    d.emit_end(OpCode::bl, 0, far_target(d));
  }
}

// Numbers of special registers: 0 to 3 with APSR, 5 to 7 without, 8 and 9 stacks, 16 to 20 masks and CONTROL.
bool is_special(std::uint32_t number) { return (number <= 9 && number != 4) || (number >= 16 && number <= 20); }
void read_special(Decoder& d) {
  const unsigned rd = d.bits(11, 8);
  const std::uint32_t number = d.bits(7, 0);
  if (is_sp_or_pc(rd)) {
    return d.undefined(Why::register_not_allowed);
  }
  if (!is_special(number)) {
    return d.undefined(Why::special_register);
  }
  d.emit_end(OpCode::mrs, 0, number).rd = static_cast<std::uint8_t>(rd);
}
void write_special(Decoder& d) {
  const unsigned rn = d.bits(19, 16);
  const std::uint32_t number = d.bits(7, 0);
  const std::uint32_t mask = d.bits(11, 10);  // flags, GE
  if (is_sp_or_pc(rn)) {
    return d.undefined(Why::register_not_allowed);
  }
  const bool wrong_mask = mask == 0 || (mask != 2 && (number > 3 || !d.has_dsp()));
  if (!is_special(number) || wrong_mask) {
    return d.undefined(Why::special_register);
  }
  Op& op = d.emit_end(OpCode::msr, rn, number);
  op.ra = static_cast<std::uint8_t>(mask);
}

void hint(Decoder& d) {
  switch (d.bits(7, 0)) {
    case 2:
      d.emit_end(OpCode::wfe);
      return;
    case 3:
      d.emit_end(OpCode::wfi);
      return;
    case 4:
      d.emit_end(OpCode::sev);
      return;
    default:
      d.emit(OpCode::nop);
  }
}
void clear_exclusive(Decoder& d) { d.emit(OpCode::clrex); }
// Memory is always up to date, and so is code.
void barrier(Decoder& d) {
  if (d.bits(5, 4) == 3) {
    return d.undefined(Why::unallocated);
  }
  d.emit(OpCode::nop);
}
void undefined_for_ever(Decoder& d) { d.undefined(Why::unallocated); }
void coprocessor(Decoder& d) { d.emit_end(OpCode::coprocessor); }

constexpr Encoding kEncodings[] = {
    {"11110011100 0 nnnn 1000 mm00 ssssssss", write_special},
    {"11110011111 0 1111 1000 dddd ssssssss", read_special},
    {"111100111010 1111 1000 0000 hhhhhhhh", hint},
    {"111100111011 1111 1000 1111 0010 1111", clear_exclusive},
    {"111100111011 1111 1000 1111 01bb oooo", barrier},
    {"111101111111 iiii 1010 iiiiiiiiiiii", undefined_for_ever},
    {"11110 i 111 iiiiiii 10 i 0 i iiiiiiiiiii", undefined_for_ever},
    {"11110 s cccc iiiiii 10 j 0 j iiiiiiiiiii", branch_if},
    {"11110 s iiiiiiiiii 10 j 1 j iiiiiiiiiii", branch},
    {"11110 s iiiiiiiiii 11 j 1 j iiiiiiiiiii", branch_with_link},
    {"111 i 11 iiiiiiiiii iiii iiii iiiiiiii", coprocessor},
};

}  // namespace
}  // namespace control

std::span<const Encoding> control_encodings() { return control::kEncodings; }

}  // namespace ftlab::iss::arm
