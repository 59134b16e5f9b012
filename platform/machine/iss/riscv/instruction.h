// The instructions of RV32IMAC with Zicsr and Zifencei, as names and fields. Knows neither their codes nor their
// effects.
#pragma once

#include <cstdint>

namespace ftlab::iss::riscv {

// FTLAB_RISCV_OPS(X): X(name) for each; a trailing _ keeps a name apart from a word of C++.
#define FTLAB_RISCV_OPS(X)                                                                                            \
  X(lui)                                                                                                              \
  X(auipc)                                                                                                            \
  X(jal)                                                                                                              \
  X(jalr)                                                                                                             \
  X(beq)                                                                                                              \
  X(bne) X(blt) X(bge) X(bltu) X(bgeu) X(lb) X(lh) X(lw) X(lbu) X(lhu) X(sb) X(sh) X(sw) X(addi) X(slti) X(sltiu)     \
      X(xori) X(ori) X(andi) X(slli) X(srli) X(srai) X(add) X(sub) X(sll) X(slt) X(sltu) X(xor_) X(srl) X(sra) X(or_) \
          X(and_) X(mul) X(mulh) X(mulhsu) X(mulhu) X(div) X(divu) X(rem) X(remu) X(lr_w) X(sc_w) X(amoswap_w)        \
              X(amoadd_w) X(amoxor_w) X(amoand_w) X(amoor_w) X(amomin_w) X(amomax_w) X(amominu_w) X(amomaxu_w)        \
                  X(fence) X(fence_i) X(ecall) X(ebreak) X(csrrw) X(csrrs) X(csrrc) X(csrrwi) X(csrrsi) X(csrrci)     \
                      X(mret) X(wfi) X(illegal)

enum class Op : std::uint8_t {
#define FTLAB_RISCV_NAME(name) name,
  FTLAB_RISCV_OPS(FTLAB_RISCV_NAME)
#undef FTLAB_RISCV_NAME
};

struct Instruction {
  Op op = Op::illegal;
  std::uint8_t rd = 0;
  std::uint8_t rs1 = 0;  ///< the immediate of csrrwi, csrrsi and csrrci
  std::uint8_t rs2 = 0;
  std::uint8_t bytes = 4;  ///< 2 if it was compressed
  std::uint32_t imm = 0;   ///< sign-extended; a shift's amount, a CSR's number; the whole code of an illegal one
};

}  // namespace ftlab::iss::riscv
