// Compressed codes as an assembler makes them, and codes that are no instructions.
#include "platform/machine/iss/riscv/decode.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/unit/platform/machine/iss/riscv/assembler.h"

namespace ftlab::iss::riscv {
namespace {

using namespace assembler;

struct Compressed {
  std::uint32_t half;
  Code whole;
  const char* text;
};

// Of each field every bit, alone or with others.
constexpr Compressed kCompressed[] = {
    {0x0048, addi(a0, sp, 4), "c.addi4spn a0,sp,4"},
    {0x1ffc, addi(a5, sp, 1020), "c.addi4spn a5,sp,1020"},
    {0x43c0, lw(s0, 4, a5), "c.lw s0,4(a5)"},
    {0x5c7c, lw(a5, 124, s0), "c.lw a5,124(s0)"},
    {0x41a8, lw(a0, 64, a1), "c.lw a0,64(a1)"},
    {0xc344, sw(s1, 4, a4), "c.sw s1,4(a4)"},
    {0xdc7c, sw(a5, 124, s0), "c.sw a5,124(s0)"},
    {0xc1a8, sw(a0, 64, a1), "c.sw a0,64(a1)"},
    {0x0001, nop, "c.nop"},
    {0x1f81, addi(t6, t6, -32), "c.addi t6,-32"},
    {0x057d, addi(a0, a0, 31), "c.addi a0,31"},
    {0x2019, jal(ra, 6), "c.jal .+6"},
    {0x3ffd, jal(ra, -2), "c.jal .-2"},
    {0x557d, addi(a0, zero, -1), "c.li a0,-1"},
    {0x4ffd, addi(t6, zero, 31), "c.li t6,31"},
    {0x7101, addi(sp, sp, -512), "c.addi16sp sp,-512"},
    {0x617d, addi(sp, sp, 496), "c.addi16sp sp,496"},
    {0x6141, addi(sp, sp, 16), "c.addi16sp sp,16"},
    {0x6105, addi(sp, sp, 32), "c.addi16sp sp,32"},
    {0x6121, addi(sp, sp, 64), "c.addi16sp sp,64"},
    {0x6109, addi(sp, sp, 128), "c.addi16sp sp,128"},
    {0x6505, lui(a0, 1), "c.lui a0,1"},
    {0x7ffd, lui(t6, 0xfffff), "c.lui t6,0xfffff"},
    {0x7081, lui(ra, 0xfffe0), "c.lui ra,0xfffe0"},
    {0x8105, srli(a0, a0, 1), "c.srli a0,1"},
    {0x807d, srli(s0, s0, 31), "c.srli s0,31"},
    {0x87fd, srai(a5, a5, 31), "c.srai a5,31"},
    {0x997d, andi(a0, a0, -1), "c.andi a0,-1"},
    {0x9881, andi(s1, s1, -32), "c.andi s1,-32"},
    {0x8c1d, sub(s0, s0, a5), "c.sub s0,a5"},
    {0x8d2d, xor_(a0, a0, a1), "c.xor a0,a1"},
    {0x8d4d, or_(a0, a0, a1), "c.or a0,a1"},
    {0x8fe1, and_(a5, a5, s0), "c.and a5,s0"},
    {0xa009, jal(zero, 2), "c.j .+2"},
    {0xb001, jal(zero, -2048), "c.j .-2048"},
    {0xa101, jal(zero, 1024), "c.j .+1024"},
    {0xa081, jal(zero, 64), "c.j .+64"},
    {0xa041, jal(zero, 128), "c.j .+128"},
    {0xa005, jal(zero, 32), "c.j .+32"},
    {0xa801, jal(zero, 16), "c.j .+16"},
    {0xa201, jal(zero, 256), "c.j .+256"},
    {0xa401, jal(zero, 512), "c.j .+512"},
    {0xc401, beq(s0, zero, 8), "c.beqz s0,.+8"},
    {0xd381, beq(a5, zero, -256), "c.beqz a5,.-256"},
    {0xc385, beq(a5, zero, 32), "c.beqz a5,.+32"},
    {0xc3a1, beq(a5, zero, 64), "c.beqz a5,.+64"},
    {0xc3c1, beq(a5, zero, 128), "c.beqz a5,.+128"},
    {0xed7d, bne(a0, zero, 254), "c.bnez a0,.+254"},
    {0x0506, slli(a0, a0, 1), "c.slli a0,1"},
    {0x0ffe, slli(t6, t6, 31), "c.slli t6,31"},
    {0x4502, lw(a0, 0, sp), "c.lwsp a0,0(sp)"},
    {0x5ffe, lw(t6, 252, sp), "c.lwsp t6,252(sp)"},
    {0x4086, lw(ra, 64, sp), "c.lwsp ra,64(sp)"},
    {0x5082, lw(ra, 32, sp), "c.lwsp ra,32(sp)"},
    {0x8082, jalr(zero, ra, 0), "c.jr ra"},
    {0x852e, add(a0, zero, a1), "c.mv a0,a1"},
    {0x8ffa, add(t6, zero, t5), "c.mv t6,t5"},
    {0x9002, ebreak, "c.ebreak"},
    {0x9782, jalr(ra, a5, 0), "c.jalr a5"},
    {0x952e, add(a0, a0, a1), "c.add a0,a1"},
    {0x9ffa, add(t6, t6, t5), "c.add t6,t5"},
    {0xc02a, sw(a0, 0, sp), "c.swsp a0,0(sp)"},
    {0xdffe, sw(t6, 252, sp), "c.swsp t6,252(sp)"},
    {0xc086, sw(ra, 64, sp), "c.swsp ra,64(sp)"},
    {0xd006, sw(ra, 32, sp), "c.swsp ra,32(sp)"},
};

TEST(Decode, a_compressed_instruction_is_short_for_another_one) {
  for (const Compressed& one : kCompressed) EXPECT_EQ(expand(one.half), one.whole) << one.text;
}

TEST(Decode, a_compressed_instruction_has_two_bytes) {
  EXPECT_EQ(decode_any(0x0505).bytes, 2);
  EXPECT_EQ(decode_any(addi(a0, a0, 1)).bytes, 4);
}

TEST(Decode, codes_that_are_reserved_are_illegal) {
  constexpr std::uint32_t kReserved[] = {
      0x0000,  // all zeros
      0x0008,  // c.addi4spn a0, sp, 0
      0x6101,  // c.addi16sp 0
      0x6501,  // c.lui a0, 0
      0x4002,  // c.lwsp x0, 0(sp)
      0x8002,  // c.jr x0
      0x9d0d,  // c.subw, of 64 bits
      0x9d2d,  // c.addw, of 64 bits
      0x9d4d,  // reserved
      0x9d6d,  // reserved
      0x9105,  // c.srli a0, 33
      0x9505,  // c.srai a0, 33
      0x1506,  // c.slli a0, 33
      0x8000,  // reserved
      0x2188,  // c.fld
      0x6188,  // c.flw
      0xa188,  // c.fsd
      0xe188,  // c.fsw
      0x2502,  // c.fldsp
      0x6502,  // c.flwsp
      0xa02a,  // c.fsdsp
      0xe02a,  // c.fswsp
  };
  for (const std::uint32_t half : kReserved) {
    EXPECT_EQ(decode_any(half).op, Op::illegal) << std::hex << half;
    EXPECT_EQ(decode_any(0x12340000 | half).imm, half) << std::hex << half;
  }
}

TEST(Decode, other_codes_of_32_bits_are_illegal) {
  constexpr Code kWrong[] = {
      0xffffffff,
      0x0000001f,                      // longer than 32 bits
      r_type(2, 0, a0, a1, a2),        // funct7
      r_type(0x20, 1, a0, a1, a2),     // "sll" with the bit of sub
      r_type(0x21, 0, a0, a1, a2),     //
      i_type(0x13, 1, a0, a1, 0x20),   // slli by 32
      i_type(0x13, 1, a0, a1, 0x400),  // "slai"
      i_type(0x13, 5, a0, a1, 0x20),   // srli by 32
      i_type(0x13, 5, a0, a1, 0x420),  // srai by 32
      i_type(0x13, 5, a0, a1, -1),     //
      i_type(0x67, 1, a0, a1, 0),      // jalr with another funct3
      i_type(0x03, 3, a0, a1, 0),      // ld
      i_type(0x03, 6, a0, a1, 0),      // lwu
      i_type(0x03, 7, a0, a1, 0),      //
      s_type(3, a0, a1, 0),            // sd
      s_type(4, a0, a1, 0),            //
      b_type(2, a0, a1, 8),            //
      b_type(3, a0, a1, 8),            //
      i_type(0x0f, 2, 0, 0, 0),        //
      i_type(0x07, 2, a0, a1, 0),      // flw
      i_type(0x1b, 0, a0, a1, 0),      // addiw
      r_type(0, 0, a0, a1, a2, 0x3b),  // addw
      amo(0x02, a2, a1, a0),           // lr with rs2
      amo(0x05, a2, a1, a0),           //
      amo(0x00, a2, a1, a0) | 0x1000,  // of 64 bits
      csr_type(4, a0, 0x300, a1),      //
      ecall | a0 << 7,                 //
      ebreak | a0 << 15,               //
      mret | a0 << 7,                  //
      wfi | a0 << 15,                  //
      0x10200073,                      // sret
      0x12000073,                      // sfence.vma
      0x00200073,                      // uret
  };
  for (const Code code : kWrong) {
    EXPECT_EQ(decode(code).op, Op::illegal) << std::hex << code;
    EXPECT_EQ(decode(code).imm, code) << std::hex << code;
  }
}

TEST(Decode, fences_ignore_the_fields_for_finer_ones) {
  for (const Code code : {0x0ff0000fU, 0x0330000fU, 0x8330000fU, 0x0100000fU, 0xfffff00fU & ~0x7000U}) {
    EXPECT_EQ(decode(code).op, Op::fence) << std::hex << code;
    EXPECT_EQ(decode(code | 0x1000).op, Op::fence_i) << std::hex << code;
  }
}

TEST(Decode, orderings_of_atomics_are_ignored) {
  for (const Code bits : {0x02000000U, 0x04000000U, 0x06000000U}) {
    EXPECT_EQ(decode(lr_w(a2, a0) | bits).op, Op::lr_w);
    EXPECT_EQ(decode(sc_w(a2, a1, a0) | bits).op, Op::sc_w);
    EXPECT_EQ(decode(amomaxu_w(a2, a1, a0) | bits).op, Op::amomaxu_w);
  }
}

}  // namespace
}  // namespace ftlab::iss::riscv
