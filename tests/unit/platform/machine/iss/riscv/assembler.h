// Codes of instructions of 32 bits, written as in assembly text. From the tables in chapter "RV32/64G Instruction Set
// Listings" of the manual, and not from the decoder.
#pragma once

#include <cstdint>

namespace ftlab::iss::riscv::assembler {

using Code = std::uint32_t;
using Reg = std::uint32_t;
using Imm = std::int32_t;

constexpr Reg zero = 0, ra = 1, sp = 2, t0 = 5, t1 = 6, t2 = 7, s0 = 8, s1 = 9;
constexpr Reg a0 = 10, a1 = 11, a2 = 12, a3 = 13, a4 = 14, a5 = 15, t5 = 30, t6 = 31;

constexpr Code field(Imm value, unsigned high, unsigned low, unsigned to) {
  return (static_cast<Code>(value) >> low & ((Code{1} << (high - low + 1)) - 1)) << to;
}

constexpr Code r_type(Code funct7, Code funct3, Reg rd, Reg rs1, Reg rs2, Code opcode = 0x33) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr Code i_type(Code opcode, Code funct3, Reg rd, Reg rs1, Imm imm) {
  return field(imm, 11, 0, 20) | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr Code s_type(Code funct3, Reg rs2, Reg rs1, Imm imm) {
  return field(imm, 11, 5, 25) | rs2 << 20 | rs1 << 15 | funct3 << 12 | field(imm, 4, 0, 7) | 0x23;
}
constexpr Code b_type(Code funct3, Reg rs1, Reg rs2, Imm imm) {
  return field(imm, 12, 12, 31) | field(imm, 10, 5, 25) | rs2 << 20 | rs1 << 15 | funct3 << 12 | field(imm, 4, 1, 8) |
         field(imm, 11, 11, 7) | 0x63;
}

/// `imm`: the upper 20 bits as a number of 20 bits.
constexpr Code lui(Reg rd, Imm imm) { return field(imm, 19, 0, 12) | rd << 7 | 0x37; }
constexpr Code auipc(Reg rd, Imm imm) { return field(imm, 19, 0, 12) | rd << 7 | 0x17; }
constexpr Code jal(Reg rd, Imm imm) {
  return field(imm, 20, 20, 31) | field(imm, 10, 1, 21) | field(imm, 11, 11, 20) | field(imm, 19, 12, 12) | rd << 7 |
         0x6f;
}
constexpr Code jalr(Reg rd, Reg rs1, Imm imm) { return i_type(0x67, 0, rd, rs1, imm); }

constexpr Code beq(Reg a, Reg b, Imm imm) { return b_type(0, a, b, imm); }
constexpr Code bne(Reg a, Reg b, Imm imm) { return b_type(1, a, b, imm); }
constexpr Code blt(Reg a, Reg b, Imm imm) { return b_type(4, a, b, imm); }
constexpr Code bge(Reg a, Reg b, Imm imm) { return b_type(5, a, b, imm); }
constexpr Code bltu(Reg a, Reg b, Imm imm) { return b_type(6, a, b, imm); }
constexpr Code bgeu(Reg a, Reg b, Imm imm) { return b_type(7, a, b, imm); }

constexpr Code lb(Reg rd, Imm imm, Reg rs1) { return i_type(0x03, 0, rd, rs1, imm); }
constexpr Code lh(Reg rd, Imm imm, Reg rs1) { return i_type(0x03, 1, rd, rs1, imm); }
constexpr Code lw(Reg rd, Imm imm, Reg rs1) { return i_type(0x03, 2, rd, rs1, imm); }
constexpr Code lbu(Reg rd, Imm imm, Reg rs1) { return i_type(0x03, 4, rd, rs1, imm); }
constexpr Code lhu(Reg rd, Imm imm, Reg rs1) { return i_type(0x03, 5, rd, rs1, imm); }
constexpr Code sb(Reg rs2, Imm imm, Reg rs1) { return s_type(0, rs2, rs1, imm); }
constexpr Code sh(Reg rs2, Imm imm, Reg rs1) { return s_type(1, rs2, rs1, imm); }
constexpr Code sw(Reg rs2, Imm imm, Reg rs1) { return s_type(2, rs2, rs1, imm); }

constexpr Code addi(Reg rd, Reg rs1, Imm imm) { return i_type(0x13, 0, rd, rs1, imm); }
constexpr Code slti(Reg rd, Reg rs1, Imm imm) { return i_type(0x13, 2, rd, rs1, imm); }
constexpr Code sltiu(Reg rd, Reg rs1, Imm imm) { return i_type(0x13, 3, rd, rs1, imm); }
constexpr Code xori(Reg rd, Reg rs1, Imm imm) { return i_type(0x13, 4, rd, rs1, imm); }
constexpr Code ori(Reg rd, Reg rs1, Imm imm) { return i_type(0x13, 6, rd, rs1, imm); }
constexpr Code andi(Reg rd, Reg rs1, Imm imm) { return i_type(0x13, 7, rd, rs1, imm); }
constexpr Code slli(Reg rd, Reg rs1, Imm amount) { return i_type(0x13, 1, rd, rs1, amount); }
constexpr Code srli(Reg rd, Reg rs1, Imm amount) { return i_type(0x13, 5, rd, rs1, amount); }
constexpr Code srai(Reg rd, Reg rs1, Imm amount) { return i_type(0x13, 5, rd, rs1, 0x400 | amount); }

constexpr Code add(Reg rd, Reg a, Reg b) { return r_type(0, 0, rd, a, b); }
constexpr Code sub(Reg rd, Reg a, Reg b) { return r_type(0x20, 0, rd, a, b); }
constexpr Code sll(Reg rd, Reg a, Reg b) { return r_type(0, 1, rd, a, b); }
constexpr Code slt(Reg rd, Reg a, Reg b) { return r_type(0, 2, rd, a, b); }
constexpr Code sltu(Reg rd, Reg a, Reg b) { return r_type(0, 3, rd, a, b); }
constexpr Code xor_(Reg rd, Reg a, Reg b) { return r_type(0, 4, rd, a, b); }
constexpr Code srl(Reg rd, Reg a, Reg b) { return r_type(0, 5, rd, a, b); }
constexpr Code sra(Reg rd, Reg a, Reg b) { return r_type(0x20, 5, rd, a, b); }
constexpr Code or_(Reg rd, Reg a, Reg b) { return r_type(0, 6, rd, a, b); }
constexpr Code and_(Reg rd, Reg a, Reg b) { return r_type(0, 7, rd, a, b); }
constexpr Code mul(Reg rd, Reg a, Reg b) { return r_type(1, 0, rd, a, b); }
constexpr Code mulh(Reg rd, Reg a, Reg b) { return r_type(1, 1, rd, a, b); }
constexpr Code mulhsu(Reg rd, Reg a, Reg b) { return r_type(1, 2, rd, a, b); }
constexpr Code mulhu(Reg rd, Reg a, Reg b) { return r_type(1, 3, rd, a, b); }
constexpr Code div(Reg rd, Reg a, Reg b) { return r_type(1, 4, rd, a, b); }
constexpr Code divu(Reg rd, Reg a, Reg b) { return r_type(1, 5, rd, a, b); }
constexpr Code rem(Reg rd, Reg a, Reg b) { return r_type(1, 6, rd, a, b); }
constexpr Code remu(Reg rd, Reg a, Reg b) { return r_type(1, 7, rd, a, b); }

constexpr Code amo(Code funct5, Reg rd, Reg rs2, Reg rs1) { return r_type(funct5 << 2, 2, rd, rs1, rs2, 0x2f); }
constexpr Code lr_w(Reg rd, Reg rs1) { return amo(0x02, rd, 0, rs1); }
constexpr Code sc_w(Reg rd, Reg rs2, Reg rs1) { return amo(0x03, rd, rs2, rs1); }
constexpr Code amoswap_w(Reg rd, Reg rs2, Reg rs1) { return amo(0x01, rd, rs2, rs1); }
constexpr Code amoadd_w(Reg rd, Reg rs2, Reg rs1) { return amo(0x00, rd, rs2, rs1); }
constexpr Code amoxor_w(Reg rd, Reg rs2, Reg rs1) { return amo(0x04, rd, rs2, rs1); }
constexpr Code amoand_w(Reg rd, Reg rs2, Reg rs1) { return amo(0x0c, rd, rs2, rs1); }
constexpr Code amoor_w(Reg rd, Reg rs2, Reg rs1) { return amo(0x08, rd, rs2, rs1); }
constexpr Code amomin_w(Reg rd, Reg rs2, Reg rs1) { return amo(0x10, rd, rs2, rs1); }
constexpr Code amomax_w(Reg rd, Reg rs2, Reg rs1) { return amo(0x14, rd, rs2, rs1); }
constexpr Code amominu_w(Reg rd, Reg rs2, Reg rs1) { return amo(0x18, rd, rs2, rs1); }
constexpr Code amomaxu_w(Reg rd, Reg rs2, Reg rs1) { return amo(0x1c, rd, rs2, rs1); }

constexpr Code csr_type(Code funct3, Reg rd, Code csr, Code source) {
  return csr << 20 | source << 15 | funct3 << 12 | rd << 7 | 0x73;
}
constexpr Code csrrw(Reg rd, Code csr, Reg rs1) { return csr_type(1, rd, csr, rs1); }
constexpr Code csrrs(Reg rd, Code csr, Reg rs1) { return csr_type(2, rd, csr, rs1); }
constexpr Code csrrc(Reg rd, Code csr, Reg rs1) { return csr_type(3, rd, csr, rs1); }
constexpr Code csrrwi(Reg rd, Code csr, Code imm) { return csr_type(5, rd, csr, imm); }
constexpr Code csrrsi(Reg rd, Code csr, Code imm) { return csr_type(6, rd, csr, imm); }
constexpr Code csrrci(Reg rd, Code csr, Code imm) { return csr_type(7, rd, csr, imm); }
constexpr Code csrr(Reg rd, Code csr) { return csrrs(rd, csr, zero); }
constexpr Code csrw(Code csr, Reg rs1) { return csrrw(zero, csr, rs1); }

constexpr Code nop = 0x00000013;
constexpr Code fence = 0x0ff0000f;
constexpr Code fence_i = 0x0000100f;
constexpr Code ecall = 0x00000073;
constexpr Code ebreak = 0x00100073;
constexpr Code mret = 0x30200073;
constexpr Code wfi = 0x10500073;

}  // namespace ftlab::iss::riscv::assembler
