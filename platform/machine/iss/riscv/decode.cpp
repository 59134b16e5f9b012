#include "platform/machine/iss/riscv/decode.h"

#include <array>

#include "platform/machine/iss/riscv/bits.h"

namespace ftlab::iss::riscv {
namespace {

constexpr std::uint32_t i_imm(std::uint32_t code) { return sign_extend(bits(code, 31, 20), 12); }
constexpr std::uint32_t s_imm(std::uint32_t code) {
  return sign_extend(bits(code, 31, 25) << 5 | bits(code, 11, 7), 12);
}
constexpr std::uint32_t b_imm(std::uint32_t code) {
  return sign_extend(
      bits(code, 31, 31) << 12 | bits(code, 7, 7) << 11 | bits(code, 30, 25) << 5 | bits(code, 11, 8) << 1, 13);
}
constexpr std::uint32_t u_imm(std::uint32_t code) { return code & 0xfffff000U; }
constexpr std::uint32_t j_imm(std::uint32_t code) {
  return sign_extend(
      bits(code, 31, 31) << 20 | bits(code, 19, 12) << 12 | bits(code, 20, 20) << 11 | bits(code, 30, 21) << 1, 21);
}

using ByFunct3 = std::array<Op, 8>;
constexpr Op kNone = Op::illegal;
constexpr ByFunct3 kBranchesByFunct3 = {Op::beq, Op::bne, kNone, kNone, Op::blt, Op::bge, Op::bltu, Op::bgeu};
constexpr ByFunct3 kLoadsByFunct3 = {Op::lb, Op::lh, Op::lw, kNone, Op::lbu, Op::lhu, kNone, kNone};
constexpr ByFunct3 kStoresByFunct3 = {Op::sb, Op::sh, Op::sw, kNone, kNone, kNone, kNone, kNone};
constexpr ByFunct3 kImmediatesByFunct3 = {Op::addi, Op::slli, Op::slti, Op::sltiu,
                                          Op::xori, Op::srli, Op::ori,  Op::andi};
constexpr ByFunct3 kRegistersByFunct3 = {Op::add, Op::sll, Op::slt, Op::sltu, Op::xor_, Op::srl, Op::or_, Op::and_};
constexpr ByFunct3 kMultipliesByFunct3 = {Op::mul, Op::mulh, Op::mulhsu, Op::mulhu,
                                          Op::div, Op::divu, Op::rem,    Op::remu};
constexpr ByFunct3 kCsrsByFunct3 = {kNone, Op::csrrw, Op::csrrs, Op::csrrc, kNone, Op::csrrwi, Op::csrrsi, Op::csrrci};

Op immediate_op(std::uint32_t code) {
  const std::uint32_t funct3 = bits(code, 14, 12);
  const std::uint32_t funct7 = bits(code, 31, 25);
  const bool shift = funct3 == 1 || funct3 == 5;
  if (shift && funct7 == 0x20 && funct3 == 5) return Op::srai;
  return shift && funct7 != 0 ? kNone : kImmediatesByFunct3[funct3];
}

Op register_op(std::uint32_t code) {
  const std::uint32_t funct3 = bits(code, 14, 12);
  switch (bits(code, 31, 25)) {
    case 0:
      return kRegistersByFunct3[funct3];
    case 1:
      return kMultipliesByFunct3[funct3];
    case 0x20:
      return funct3 == 0 ? Op::sub : funct3 == 5 ? Op::sra : kNone;
    default:
      return kNone;
  }
}

Op atomic_op(std::uint32_t code) {
  if (bits(code, 14, 12) != 2) return kNone;
  switch (bits(code, 31, 27)) {
    case 0x00:
      return Op::amoadd_w;
    case 0x01:
      return Op::amoswap_w;
    case 0x02:
      return bits(code, 24, 20) == 0 ? Op::lr_w : kNone;
    case 0x03:
      return Op::sc_w;
    case 0x04:
      return Op::amoxor_w;
    case 0x08:
      return Op::amoor_w;
    case 0x0c:
      return Op::amoand_w;
    case 0x10:
      return Op::amomin_w;
    case 0x14:
      return Op::amomax_w;
    case 0x18:
      return Op::amominu_w;
    case 0x1c:
      return Op::amomaxu_w;
    default:
      return kNone;
  }
}

Op system_op(std::uint32_t code) {
  switch (code) {
    case 0x00000073:
      return Op::ecall;
    case 0x00100073:
      return Op::ebreak;
    case 0x30200073:
      return Op::mret;
    case 0x10500073:
      return Op::wfi;
    default:
      return kCsrsByFunct3[bits(code, 14, 12)];
  }
}

Instruction with_fields(Op op, std::uint32_t code, std::uint32_t imm) {
  if (op == kNone) return {.imm = code};
  return {.op = op,
          .rd = static_cast<std::uint8_t>(bits(code, 11, 7)),
          .rs1 = static_cast<std::uint8_t>(bits(code, 19, 15)),
          .rs2 = static_cast<std::uint8_t>(bits(code, 24, 20)),
          .imm = imm};
}

}  // namespace

Instruction decode(std::uint32_t code) {
  const std::uint32_t funct3 = bits(code, 14, 12);
  switch (bits(code, 6, 0)) {
    case 0x37:
      return with_fields(Op::lui, code, u_imm(code));
    case 0x17:
      return with_fields(Op::auipc, code, u_imm(code));
    case 0x6f:
      return with_fields(Op::jal, code, j_imm(code));
    case 0x67:
      return with_fields(funct3 == 0 ? Op::jalr : kNone, code, i_imm(code));
    case 0x63:
      return with_fields(kBranchesByFunct3[funct3], code, b_imm(code));
    case 0x03:
      return with_fields(kLoadsByFunct3[funct3], code, i_imm(code));
    case 0x23:
      return with_fields(kStoresByFunct3[funct3], code, s_imm(code));
    case 0x13:
      return with_fields(immediate_op(code), code, funct3 % 4 == 1 ? bits(code, 24, 20) : i_imm(code));
    case 0x33:
      return with_fields(register_op(code), code, 0);
    case 0x2f:
      return with_fields(atomic_op(code), code, 0);
    case 0x0f:
      // The fields beside funct3 are for finer fences: a core ignores them.
      return with_fields(funct3 == 0 ? Op::fence : funct3 == 1 ? Op::fence_i : kNone, code, 0);
    case 0x73:
      return with_fields(system_op(code), code, bits(code, 31, 20));
    default:
      return {.imm = code};
  }
}

Instruction decode_any(std::uint32_t code) {
  if (!is_compressed(code)) return decode(code);
  const std::uint32_t half = code & 0xffffU;
  Instruction instruction = decode(expand(half));
  if (instruction.op == Op::illegal) instruction.imm = half;
  instruction.bytes = 2;
  return instruction;
}

}  // namespace ftlab::iss::riscv
