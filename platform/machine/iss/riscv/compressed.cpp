// Extension C: see expand() in decode.h. Tables 16.5 to 16.7 of the manual, in their order.
#include <cstdint>

#include "platform/machine/iss/riscv/bits.h"
#include "platform/machine/iss/riscv/decode.h"

namespace ftlab::iss::riscv {
namespace {

constexpr std::uint32_t kIllegal = 0;
constexpr std::uint32_t kRa = 1;
constexpr std::uint32_t kSp = 2;

// Codes of 32 bits from their fields.
constexpr std::uint32_t i_type(std::uint32_t imm, std::uint32_t rs1, std::uint32_t funct3, std::uint32_t rd,
                               std::uint32_t opcode) {
  return imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr std::uint32_t r_type(std::uint32_t funct7, std::uint32_t rs2, std::uint32_t rs1, std::uint32_t funct3,
                               std::uint32_t rd) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x33;
}
constexpr std::uint32_t addi(std::uint32_t rd, std::uint32_t rs1, std::uint32_t imm) {
  return i_type(imm, rs1, 0, rd, 0x13);
}
constexpr std::uint32_t lw(std::uint32_t rd, std::uint32_t rs1, std::uint32_t imm) {
  return i_type(imm, rs1, 2, rd, 0x03);
}
constexpr std::uint32_t jalr(std::uint32_t rd, std::uint32_t rs1) { return i_type(0, rs1, 0, rd, 0x67); }
constexpr std::uint32_t sw(std::uint32_t rs2, std::uint32_t rs1, std::uint32_t imm) {
  return bits(imm, 11, 5) << 25 | rs2 << 20 | rs1 << 15 | 2 << 12 | bits(imm, 4, 0) << 7 | 0x23;
}
constexpr std::uint32_t jal(std::uint32_t rd, std::uint32_t imm) {
  return bit(imm, 20) << 31 | bits(imm, 10, 1) << 21 | bit(imm, 11) << 20 | bits(imm, 19, 12) << 12 | rd << 7 | 0x6f;
}
constexpr std::uint32_t branch(std::uint32_t funct3, std::uint32_t rs1, std::uint32_t imm) {
  return bit(imm, 12) << 31 | bits(imm, 10, 5) << 25 | rs1 << 15 | funct3 << 12 | bits(imm, 4, 1) << 8 |
         bit(imm, 11) << 7 | 0x63;
}

// Fields of 16 bits.
constexpr std::uint32_t full_register(std::uint32_t half) { return bits(half, 11, 7); }
constexpr std::uint32_t second_register(std::uint32_t half) { return bits(half, 6, 2); }
constexpr std::uint32_t high_three(std::uint32_t half) { return 8 + bits(half, 9, 7); }
constexpr std::uint32_t low_three(std::uint32_t half) { return 8 + bits(half, 4, 2); }
/// Six bits, sign-extended to all.
constexpr std::uint32_t immediate(std::uint32_t half) { return (bits(half, 6, 2) | (0U - bit(half, 12)) << 5); }
constexpr std::uint32_t immediate_12(std::uint32_t half) { return immediate(half) & 0xfffU; }
constexpr std::uint32_t word_offset(std::uint32_t half) {
  return bits(half, 12, 10) << 3 | bit(half, 6) << 2 | bit(half, 5) << 6;
}
constexpr std::uint32_t jump_offset(std::uint32_t half) {
  return bit(half, 11) << 4 | bits(half, 10, 9) << 8 | bit(half, 8) << 10 | bit(half, 7) << 6 | bit(half, 6) << 7 |
         bits(half, 5, 3) << 1 | bit(half, 2) << 5 | (0U - bit(half, 12)) << 11;
}
constexpr std::uint32_t branch_offset(std::uint32_t half) {
  return bits(half, 11, 10) << 3 | bits(half, 6, 5) << 6 | bits(half, 4, 3) << 1 | bit(half, 2) << 5 |
         (0U - bit(half, 12)) << 8;
}

std::uint32_t quadrant_0(std::uint32_t half) {
  switch (bits(half, 15, 13)) {
    case 0: {  // c.addi4spn
      const std::uint32_t imm =
          bits(half, 12, 11) << 4 | bits(half, 10, 7) << 6 | bit(half, 6) << 2 | bit(half, 5) << 3;
      return imm != 0 ? addi(low_three(half), kSp, imm) : kIllegal;
    }
    case 2:  // c.lw
      return lw(low_three(half), high_three(half), word_offset(half));
    case 6:  // c.sw
      return sw(low_three(half), high_three(half), word_offset(half));
    default:
      return kIllegal;
  }
}

/// c.addi16sp and c.lui
std::uint32_t upper_or_sp(std::uint32_t half) {
  const std::uint32_t rd = full_register(half);
  if (immediate(half) == 0) return kIllegal;
  if (rd != kSp) return immediate(half) << 12 | rd << 7 | 0x37;
  const std::uint32_t imm =
      bit(half, 6) << 4 | bit(half, 2) << 5 | bit(half, 5) << 6 | bits(half, 4, 3) << 7 | (0U - bit(half, 12)) << 9;
  return addi(kSp, kSp, imm & 0xfffU);
}

std::uint32_t arithmetic(std::uint32_t half) {
  const std::uint32_t rd = high_three(half);
  const bool wide = bit(half, 12) != 0;
  switch (bits(half, 11, 10)) {
    case 0:  // c.srli; amounts above 31 are left to extensions of one's own
      return wide ? kIllegal : i_type(bits(half, 6, 2), rd, 5, rd, 0x13);
    case 1:  // c.srai
      return wide ? kIllegal : i_type(0x400 | bits(half, 6, 2), rd, 5, rd, 0x13);
    case 2:  // c.andi
      return i_type(immediate_12(half), rd, 7, rd, 0x13);
    default:
      break;
  }
  if (wide) return kIllegal;
  const std::uint32_t rs2 = low_three(half);
  switch (bits(half, 6, 5)) {
    case 0:  // c.sub
      return r_type(0x20, rs2, rd, 0, rd);
    case 1:  // c.xor
      return r_type(0, rs2, rd, 4, rd);
    case 2:  // c.or
      return r_type(0, rs2, rd, 6, rd);
    default:  // c.and
      return r_type(0, rs2, rd, 7, rd);
  }
}

std::uint32_t quadrant_1(std::uint32_t half) {
  const std::uint32_t rd = full_register(half);
  switch (bits(half, 15, 13)) {
    case 0:  // c.nop, c.addi
      return addi(rd, rd, immediate_12(half));
    case 1:  // c.jal
      return jal(kRa, jump_offset(half));
    case 2:  // c.li
      return addi(rd, 0, immediate_12(half));
    case 3:
      return upper_or_sp(half);
    case 4:
      return arithmetic(half);
    case 5:  // c.j
      return jal(0, jump_offset(half));
    case 6:  // c.beqz
      return branch(0, high_three(half), branch_offset(half));
    default:  // c.bnez
      return branch(1, high_three(half), branch_offset(half));
  }
}

/// c.jr, c.mv, c.ebreak, c.jalr and c.add
std::uint32_t jump_or_move(std::uint32_t half) {
  constexpr std::uint32_t kEbreak = 0x00100073;
  const std::uint32_t rd = full_register(half);
  const std::uint32_t rs2 = second_register(half);
  if (bit(half, 12) == 0) {
    if (rs2 != 0) return r_type(0, rs2, 0, 0, rd);
    return rd != 0 ? jalr(0, rd) : kIllegal;
  }
  if (rs2 != 0) return r_type(0, rs2, rd, 0, rd);
  return rd != 0 ? jalr(kRa, rd) : kEbreak;
}

std::uint32_t quadrant_2(std::uint32_t half) {
  const std::uint32_t rd = full_register(half);
  switch (bits(half, 15, 13)) {
    case 0:  // c.slli
      return bit(half, 12) != 0 ? kIllegal : i_type(bits(half, 6, 2), rd, 1, rd, 0x13);
    case 2:  // c.lwsp
      return rd != 0 ? lw(rd, kSp, bit(half, 12) << 5 | bits(half, 6, 4) << 2 | bits(half, 3, 2) << 6) : kIllegal;
    case 4:
      return jump_or_move(half);
    case 6:  // c.swsp
      return sw(second_register(half), kSp, bits(half, 12, 9) << 2 | bits(half, 8, 7) << 6);
    default:
      return kIllegal;
  }
}

}  // namespace

std::uint32_t expand(std::uint32_t half) {
  switch (half & 3) {
    case 0:
      return quadrant_0(half);
    case 1:
      return quadrant_1(half);
    default:
      return quadrant_2(half);
  }
}

}  // namespace ftlab::iss::riscv
