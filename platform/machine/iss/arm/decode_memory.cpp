// Encodings of 32 bits that load and store.
#include <bit>

#include "platform/machine/iss/arm/decoder.h"

namespace ftlab::iss::arm {
namespace memory {
namespace {

OpCode load_of(unsigned size, bool is_signed) {
  static constexpr OpCode kCodes[] = {OpCode::ldrb_offset, OpCode::ldrh_offset, OpCode::ldr_offset};
  static constexpr OpCode kSigned[] = {OpCode::ldrsb_offset, OpCode::ldrsh_offset};
  return is_signed ? kSigned[size] : kCodes[size];
}
OpCode store_of(unsigned size) {
  static constexpr OpCode kCodes[] = {OpCode::strb_offset, OpCode::strh_offset, OpCode::str_offset};
  return kCodes[size];
}

// What follows a load to the register that an instruction names.
unsigned target_of(unsigned rt) { return rt == kPc ? kScratch : rt; }
void finish_load(Decoder& d, unsigned rt) {
  if (rt == kPc) {
    d.emit_end(OpCode::jump_exchange);
  } else if (rt == kSp) {
    d.emit(OpCode::align_sp);
  }
}

// Loads of a part of a word to PC are hints to preload.
bool is_hint(const Decoder& d) { return d.bits(15, 12) == kPc && d.bits(22, 21) != 2; }

bool load_target_allowed(Decoder& d, unsigned rt, bool word) {
  if (rt == kSp && !word) {
    d.undefined(Why::register_not_allowed);
    return false;
  }
  return rt != kPc || d.branch_allowed();
}

bool unallocated_load(Decoder& d) {
  const unsigned size = d.bits(22, 21);
  if (size == 3 || (size == 2 && d.bit(24))) {
    d.undefined(Why::unallocated);
    return true;
  }
  return false;
}

void load_literal(Decoder& d) {
  const unsigned rt = d.bits(15, 12);
  if (unallocated_load(d)) {
    return;
  }
  if (is_hint(d)) {
    d.emit(OpCode::nop);
    return;
  }
  if (!load_target_allowed(d, rt, d.bits(22, 21) == 2)) {
    return;
  }
  const std::uint32_t base = d.pc_operand() & ~3U;
  const std::uint32_t address = d.bit(23) ? base + d.bits(11, 0) : base - d.bits(11, 0);
  d.emit_access(load_of(d.bits(22, 21), d.bit(24)), Mode::literal, target_of(rt), 0, 0, address);
  finish_load(d, rt);
}

void load_offset(Decoder& d) {
  const unsigned rt = d.bits(15, 12);
  if (unallocated_load(d)) {
    return;
  }
  if (is_hint(d)) {
    d.emit(OpCode::nop);
    return;
  }
  if (!load_target_allowed(d, rt, d.bits(22, 21) == 2)) {
    return;
  }
  d.emit_access(load_of(d.bits(22, 21), d.bit(24)), Mode::offset, target_of(rt), d.bits(19, 16), 0, d.bits(11, 0));
  finish_load(d, rt);
}

void load_indexed(Decoder& d) {
  const unsigned rt = d.bits(15, 12);
  const unsigned rm = d.bits(3, 0);
  if (unallocated_load(d)) {
    return;
  }
  if (is_sp_or_pc(rm)) {
    return d.undefined(Why::register_not_allowed);
  }
  if (is_hint(d)) {
    d.emit(OpCode::nop);
    return;
  }
  if (!load_target_allowed(d, rt, d.bits(22, 21) == 2)) {
    return;
  }
  d.emit_access(load_of(d.bits(22, 21), d.bit(24)), Mode::indexed, target_of(rt), d.bits(19, 16), rm, d.bits(5, 4));
  finish_load(d, rt);
}

// Bits 10 to 8: before the access, upwards, with writeback; all three are those of unprivileged accesses.
struct Immediate8 {
  Mode mode = Mode::offset;
  std::uint32_t offset = 0;
  bool writes_back = false;
};
Immediate8 immediate_8(const Decoder& d) {
  const bool before = d.bit(10);
  const bool up = d.bit(9);
  const bool writeback = d.bit(8);
  const std::uint32_t constant = d.bits(7, 0);
  if (before && up && !writeback) {
    return {.mode = Mode::user, .offset = constant};
  }
  return {.mode = !writeback ? Mode::offset : (before ? Mode::pre : Mode::post),
          .offset = up ? constant : 0 - constant,
          .writes_back = writeback};
}

void load_immediate_8(Decoder& d) {
  const unsigned rt = d.bits(15, 12);
  const unsigned rn = d.bits(19, 16);
  const Immediate8 form = immediate_8(d);
  if (unallocated_load(d)) {
    return;
  }
  if (!d.bit(10) && !d.bit(8)) {
    return d.undefined(Why::unallocated);
  }
  if (form.mode == Mode::offset && is_hint(d)) {
    d.emit(OpCode::nop);
    return;
  }
  const bool word = d.bits(22, 21) == 2;
  if ((rt == kPc && !word) || (form.mode == Mode::user && is_sp_or_pc(rt))) {
    return d.undefined(Why::register_not_allowed);
  }
  if (form.writes_back && rn == rt) {
    return d.undefined(Why::writeback);
  }
  if (!load_target_allowed(d, rt, word)) {
    return;
  }
  d.emit_access(load_of(d.bits(22, 21), d.bit(24)), form.mode, target_of(rt), rn, 0, form.offset);
  if (form.writes_back && rn == kSp) {
    d.emit(OpCode::align_sp);
  }
  finish_load(d, rt);
}

bool store_allowed(Decoder& d, unsigned rt, unsigned rn) {
  if (d.bits(22, 21) == 3 || rn == kPc) {
    d.undefined(Why::unallocated);
    return false;
  }
  if (rt == kPc || (rt == kSp && d.bits(22, 21) != 2)) {
    d.undefined(Why::register_not_allowed);
    return false;
  }
  return true;
}

void store_offset(Decoder& d) {
  if (store_allowed(d, d.bits(15, 12), d.bits(19, 16))) {
    d.emit_access(store_of(d.bits(22, 21)), Mode::offset, d.bits(15, 12), d.bits(19, 16), 0, d.bits(11, 0));
  }
}

void store_indexed(Decoder& d) {
  const unsigned rm = d.bits(3, 0);
  if (!store_allowed(d, d.bits(15, 12), d.bits(19, 16))) {
    return;
  }
  if (is_sp_or_pc(rm)) {
    return d.undefined(Why::register_not_allowed);
  }
  d.emit_access(store_of(d.bits(22, 21)), Mode::indexed, d.bits(15, 12), d.bits(19, 16), rm, d.bits(5, 4));
}

void store_immediate_8(Decoder& d) {
  const unsigned rt = d.bits(15, 12);
  const unsigned rn = d.bits(19, 16);
  const Immediate8 form = immediate_8(d);
  if (!store_allowed(d, rt, rn)) {
    return;
  }
  if (!d.bit(10) && !d.bit(8)) {
    return d.undefined(Why::unallocated);
  }
  if (form.mode == Mode::user && rt == kSp) {
    return d.undefined(Why::register_not_allowed);
  }
  if (form.writes_back && rn == rt) {
    return d.undefined(Why::writeback);
  }
  d.emit_access(store_of(d.bits(22, 21)), form.mode, rt, rn, 0, form.offset);
  if (form.writes_back && rn == kSp) {
    d.emit(OpCode::align_sp);
  }
}

void multiple(Decoder& d) {
  const unsigned rn = d.bits(19, 16);
  const bool load = d.bit(20);
  const bool writeback = d.bit(21);
  const unsigned order = d.bits(24, 23);
  std::uint32_t list = d.bits(15, 0);
  const bool to_pc = (list >> kPc & 1) != 0;
  if (order == 0 || order == 3) {
    return d.undefined(Why::unallocated);
  }
  if (rn == kPc) {
    return d.undefined(Why::register_not_allowed);
  }
  const bool wrong_pc = to_pc && (!load || (list >> kLr & 1) != 0);
  if (std::popcount(list) < 2 || (list >> kSp & 1) != 0 || wrong_pc) {
    return d.undefined(Why::register_list);
  }
  if (writeback && (list >> rn & 1) != 0) {
    return d.undefined(Why::writeback);
  }
  if (to_pc && !d.branch_allowed()) {
    return;
  }
  if (to_pc) {
    list ^= 1U << kPc | 1U << kScratch;
  }
  d.emit_multiple(load ? OpCode::ldm : OpCode::stm, order == 2, rn, list, writeback);
  if (to_pc) {
    d.emit_end(OpCode::jump_exchange);
  }
}

void dual(Decoder& d) {
  const unsigned rn = d.bits(19, 16);
  const unsigned rt = d.bits(15, 12);
  const unsigned rt2 = d.bits(11, 8);
  const bool load = d.bit(20);
  const bool before = d.bit(24);
  const bool writeback = d.bit(21);
  const std::uint32_t offset = d.bit(23) ? d.bits(7, 0) * 4 : 0 - d.bits(7, 0) * 4;
  if (is_sp_or_pc(rt) || is_sp_or_pc(rt2)) {
    return d.undefined(Why::register_not_allowed);
  }
  if (load && rt == rt2) {
    return d.undefined(Why::same_register);
  }
  if (rn == kPc) {
    if (writeback || !load) {
      return d.undefined(writeback ? Why::writeback : Why::register_not_allowed);
    }
    d.emit_alu(OpCode::mov_imm, Operand::imm, false, kPcOperand, 0, 0, d.pc_operand() & ~3U);
    d.emit(OpCode::ldrd, rt, kPcOperand, rt2, offset);
    return;
  }
  if (writeback && (rn == rt || rn == rt2)) {
    return d.undefined(Why::writeback);
  }
  // `ra`: 1 with writeback, 2 with the offset after the access.
  d.emit(load ? OpCode::ldrd : OpCode::strd, rt, rn, rt2, offset, !writeback ? 0 : (before ? 1 : 2));
}

void load_exclusive(Decoder& d) {
  if (is_sp_or_pc(d.bits(15, 12)) || d.bits(19, 16) == kPc) {
    return d.undefined(Why::register_not_allowed);
  }
  d.emit(OpCode::ldrex, d.bits(15, 12), d.bits(19, 16), 0, d.bits(7, 0) * 4);
}

bool exclusive_store_allowed(Decoder& d, unsigned rd) {
  const unsigned rt = d.bits(15, 12);
  const unsigned rn = d.bits(19, 16);
  if (is_sp_or_pc(rd) || is_sp_or_pc(rt) || rn == kPc) {
    d.undefined(Why::register_not_allowed);
    return false;
  }
  if (rd == rn || rd == rt) {
    d.undefined(Why::same_register);
    return false;
  }
  return true;
}

void store_exclusive(Decoder& d) {
  const unsigned rd = d.bits(11, 8);
  if (exclusive_store_allowed(d, rd)) {
    d.emit(OpCode::strex, d.bits(15, 12), d.bits(19, 16), rd, d.bits(7, 0) * 4);
  }
}

void load_exclusive_part(Decoder& d) {
  if (is_sp_or_pc(d.bits(15, 12)) || d.bits(19, 16) == kPc) {
    return d.undefined(Why::register_not_allowed);
  }
  d.emit(d.bit(4) ? OpCode::ldrexh : OpCode::ldrexb, d.bits(15, 12), d.bits(19, 16), 0, 0);
}

void store_exclusive_part(Decoder& d) {
  const unsigned rd = d.bits(3, 0);
  if (exclusive_store_allowed(d, rd)) {
    d.emit(d.bit(4) ? OpCode::strexh : OpCode::strexb, d.bits(15, 12), d.bits(19, 16), rd, 0);
  }
}

void table_branch(Decoder& d) {
  const unsigned rn = d.bits(19, 16);
  const unsigned rm = d.bits(3, 0);
  if (rn == kSp || is_sp_or_pc(rm)) {
    return d.undefined(Why::register_not_allowed);
  }
  if (!d.branch_allowed()) {
    return;
  }
  const unsigned base = d.operand(rn);
  const bool half = d.bit(4);
  d.emit_access(half ? OpCode::ldrh_offset : OpCode::ldrb_offset, Mode::indexed, kScratch, base, rm, half ? 1 : 0);
  d.emit_end(OpCode::jump_table, 0, d.pc_operand());
}

constexpr Encoding kEncodings[] = {
    {"1110100 00100 nnnn tttt dddd iiiiiiii", store_exclusive},
    {"1110100 00101 nnnn tttt 1111 iiiiiiii", load_exclusive},
    {"1110100 01100 nnnn tttt 1111 010 h dddd", store_exclusive_part},
    {"1110100 01101 nnnn tttt 1111 010 h 1111", load_exclusive_part},
    {"1110100 01101 nnnn 1111 0000 000 h mmmm", table_branch},
    {"1110100 01 1 0 l nnnn tttt uuuu iiiiiiii", [](Decoder& d) { d.undefined(Why::unallocated); }},
    {"1110100 00 1 0 l nnnn tttt uuuu iiiiiiii", [](Decoder& d) { d.undefined(Why::unallocated); }},
    {"1110100 pu 1 w l nnnn tttt uuuu iiiiiiii", dual},
    {"1110100 oo 0 w l nnnn rrrrrrrrrrrrrrrr", multiple},
    {"1111100 g u ss 1 1111 tttt iiiiiiiiiiii", load_literal},
    {"1111100 g 1 ss 1 nnnn tttt iiiiiiiiiiii", load_offset},
    {"1111100 g 0 ss 1 nnnn tttt 000000 ii mmmm", load_indexed},
    {"1111100 g 0 ss 1 nnnn tttt 1puw iiiiiiii", load_immediate_8},
    {"1111100 0 1 ss 0 nnnn tttt iiiiiiiiiiii", store_offset},
    {"1111100 0 0 ss 0 nnnn tttt 000000 ii mmmm", store_indexed},
    {"1111100 0 0 ss 0 nnnn tttt 1puw iiiiiiii", store_immediate_8},
};

}  // namespace
}  // namespace memory

std::span<const Encoding> memory_encodings() { return memory::kEncodings; }

}  // namespace ftlab::iss::arm
