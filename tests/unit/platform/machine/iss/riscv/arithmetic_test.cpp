// Every instruction that computes a register from registers and an immediate, at the edges of its operands.
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/unit/platform/machine/iss/riscv/core_fixture.h"

namespace ftlab::iss::riscv {
namespace {

using namespace assembler;

constexpr std::uint32_t kLowest = 0x80000000;
constexpr std::uint32_t kHighest = 0x7fffffff;
constexpr std::uint32_t kMinusOne = 0xffffffff;

class ArithmeticTest : public CoreTest {
 protected:
  /// a2 after the instruction, with a0 = a and a1 = b.
  std::uint32_t result(Code code, std::uint32_t a, std::uint32_t b = 0) {
    set_x(a0, a);
    set_x(a1, b);
    set_x(a2, 0x5a5a5a5a);
    execute({code});
    EXPECT_EQ(x(a0), a);
    EXPECT_EQ(x(a1), b);
    return x(a2);
  }
};

TEST_F(ArithmeticTest, upper_immediates) {
  EXPECT_EQ(result(lui(a2, 0xfffff), 0), 0xfffff000U);
  EXPECT_EQ(result(lui(a2, 1), 0), 0x1000U);
  EXPECT_EQ(result(auipc(a2, 0), 0), kRom);
  EXPECT_EQ(result(auipc(a2, 0xfffff), 0), kRom - 0x1000U);
  EXPECT_EQ(result(auipc(a2, 0x12345), 0), kRom + 0x12345000U);
}

TEST_F(ArithmeticTest, addition_and_subtraction_wrap) {
  EXPECT_EQ(result(addi(a2, a0, -2048), 0), 0xfffff800U);
  EXPECT_EQ(result(addi(a2, a0, 2047), kHighest), kLowest + 2046);
  EXPECT_EQ(result(add(a2, a0, a1), kMinusOne, 2), 1U);
  EXPECT_EQ(result(sub(a2, a0, a1), 1, 2), kMinusOne);
  EXPECT_EQ(result(sub(a2, a0, a1), kLowest, 1), kHighest);
}

TEST_F(ArithmeticTest, comparisons_are_signed_or_not) {
  EXPECT_EQ(result(slti(a2, a0, -1), kLowest), 1U);
  EXPECT_EQ(result(slti(a2, a0, -1), kMinusOne), 0U);
  EXPECT_EQ(result(slti(a2, a0, 0), 1), 0U);
  EXPECT_EQ(result(sltiu(a2, a0, -1), 0xfffffffe), 1U);  // the immediate is sign-extended first
  EXPECT_EQ(result(sltiu(a2, a0, -1), kMinusOne), 0U);
  EXPECT_EQ(result(sltiu(a2, a0, 1), 0), 1U);  // seqz
  EXPECT_EQ(result(slt(a2, a0, a1), kLowest, kHighest), 1U);
  EXPECT_EQ(result(slt(a2, a0, a1), kHighest, kLowest), 0U);
  EXPECT_EQ(result(slt(a2, a0, a1), 5, 5), 0U);
  EXPECT_EQ(result(sltu(a2, a0, a1), kLowest, kHighest), 0U);
  EXPECT_EQ(result(sltu(a2, a0, a1), kHighest, kLowest), 1U);
  EXPECT_EQ(result(sltu(a2, a0, a1), 5, 5), 0U);
}

TEST_F(ArithmeticTest, logic) {
  EXPECT_EQ(result(xori(a2, a0, -1), 0x12345678), 0xedcba987U);
  EXPECT_EQ(result(ori(a2, a0, -2048), 0x00000123), 0xfffff923U);
  EXPECT_EQ(result(andi(a2, a0, -16), 0x1234567f), 0x12345670U);
  EXPECT_EQ(result(xor_(a2, a0, a1), 0xff00ff00, 0x0ff00ff0), 0xf0f0f0f0U);
  EXPECT_EQ(result(or_(a2, a0, a1), 0xff00ff00, 0x0ff00ff0), 0xfff0fff0U);
  EXPECT_EQ(result(and_(a2, a0, a1), 0xff00ff00, 0x0ff00ff0), 0x0f000f00U);
}

TEST_F(ArithmeticTest, shifts_by_an_immediate) {
  EXPECT_EQ(result(slli(a2, a0, 0), 0x80000001), 0x80000001U);
  EXPECT_EQ(result(slli(a2, a0, 31), 3), kLowest);
  EXPECT_EQ(result(srli(a2, a0, 31), kLowest), 1U);
  EXPECT_EQ(result(srli(a2, a0, 1), kMinusOne), kHighest);
  EXPECT_EQ(result(srai(a2, a0, 31), kLowest), kMinusOne);
  EXPECT_EQ(result(srai(a2, a0, 4), 0x7fffffff), 0x07ffffffU);
  EXPECT_EQ(result(srai(a2, a0, 0), kLowest), kLowest);
}

TEST_F(ArithmeticTest, shifts_by_a_register_use_its_five_lowest_bits) {
  EXPECT_EQ(result(sll(a2, a0, a1), 1, 31), kLowest);
  EXPECT_EQ(result(sll(a2, a0, a1), 1, 32), 1U);
  EXPECT_EQ(result(sll(a2, a0, a1), 1, 0xffffffe1), 2U);
  EXPECT_EQ(result(srl(a2, a0, a1), kLowest, 33), 0x40000000U);
  EXPECT_EQ(result(sra(a2, a0, a1), kLowest, 33), 0xc0000000U);
  EXPECT_EQ(result(sra(a2, a0, a1), kHighest, 30), 1U);
}

TEST_F(ArithmeticTest, shifts_reach_every_bit) {
  for (std::uint32_t amount = 0; amount < 32; ++amount) {
    const auto imm = static_cast<Imm>(amount);
    const std::uint32_t bit = 1U << amount;
    EXPECT_EQ(result(sll(a2, a0, a1), 1, amount), bit);
    EXPECT_EQ(result(slli(a2, a0, imm), 1), bit);
    EXPECT_EQ(result(srl(a2, a0, a1), kLowest, amount), kLowest / bit);
    EXPECT_EQ(result(srli(a2, a0, imm), kLowest), kLowest / bit);
    EXPECT_EQ(result(sra(a2, a0, a1), kLowest, amount), 0U - kLowest / bit);
    EXPECT_EQ(result(srai(a2, a0, imm), kLowest), 0U - kLowest / bit);
  }
}

TEST_F(ArithmeticTest, products) {
  EXPECT_EQ(result(mul(a2, a0, a1), 0x10001, 0x10001), 0x00020001U);
  EXPECT_EQ(result(mul(a2, a0, a1), kMinusOne, kMinusOne), 1U);
  EXPECT_EQ(result(mulh(a2, a0, a1), kLowest, kLowest), 0x40000000U);
  EXPECT_EQ(result(mulh(a2, a0, a1), kMinusOne, 1), kMinusOne);
  EXPECT_EQ(result(mulh(a2, a0, a1), kMinusOne, kMinusOne), 0U);
  EXPECT_EQ(result(mulhu(a2, a0, a1), kMinusOne, kMinusOne), 0xfffffffeU);
  EXPECT_EQ(result(mulhu(a2, a0, a1), kLowest, 2), 1U);
  EXPECT_EQ(result(mulhsu(a2, a0, a1), kMinusOne, kMinusOne), kMinusOne);  // -1 by 4294967295
  EXPECT_EQ(result(mulhsu(a2, a0, a1), kLowest, kLowest), 0xc0000000U);
  EXPECT_EQ(result(mulhsu(a2, a0, a1), 1, kMinusOne), 0U);
}

TEST_F(ArithmeticTest, quotients_are_rounded_towards_zero) {
  EXPECT_EQ(result(div(a2, a0, a1), static_cast<std::uint32_t>(-7), 2), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(result(div(a2, a0, a1), 7, static_cast<std::uint32_t>(-2)), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(result(divu(a2, a0, a1), static_cast<std::uint32_t>(-7), 2), 0x7ffffffcU);
  EXPECT_EQ(result(rem(a2, a0, a1), static_cast<std::uint32_t>(-7), 2), kMinusOne);
  EXPECT_EQ(result(rem(a2, a0, a1), 7, static_cast<std::uint32_t>(-2)), 1U);
  EXPECT_EQ(result(remu(a2, a0, a1), static_cast<std::uint32_t>(-7), 2), 1U);
}

TEST_F(ArithmeticTest, division_by_zero_has_a_result) {
  for (const std::uint32_t a : {0U, 7U, kLowest, kMinusOne}) {
    EXPECT_EQ(result(div(a2, a0, a1), a, 0), kMinusOne);
    EXPECT_EQ(result(divu(a2, a0, a1), a, 0), kMinusOne);
    EXPECT_EQ(result(rem(a2, a0, a1), a, 0), a);
    EXPECT_EQ(result(remu(a2, a0, a1), a, 0), a);
  }
}

TEST_F(ArithmeticTest, the_quotient_that_does_not_fit_is_the_dividend) {
  EXPECT_EQ(result(div(a2, a0, a1), kLowest, kMinusOne), kLowest);
  EXPECT_EQ(result(rem(a2, a0, a1), kLowest, kMinusOne), 0U);
  EXPECT_EQ(result(divu(a2, a0, a1), kLowest, kMinusOne), 0U);
  EXPECT_EQ(result(remu(a2, a0, a1), kLowest, kMinusOne), kLowest);
}

TEST_F(ArithmeticTest, an_instruction_may_write_what_it_reads) {
  set_x(a0, 3);
  execute({add(a0, a0, a0), sub(a0, a0, a0)});
  EXPECT_EQ(x(a0), 0U);
}

TEST_F(ArithmeticTest, x0_stays_zero) {
  set_x(a0, 9);
  execute({addi(zero, a0, 1), lui(zero, 5), auipc(zero, 5), mul(zero, a0, a0), add(a2, zero, zero)});
  EXPECT_EQ(x(zero), 0U);
  EXPECT_EQ(x(a2), 0U);
  core->set_reg(zero, 7);
  EXPECT_EQ(x(zero), 0U);
}

TEST_F(ArithmeticTest, every_register_is_one_of_its_own) {
  for (Reg reg = 1; reg < 32; ++reg) execute({addi(reg, zero, static_cast<Imm>(100 + reg))});
  for (Reg reg = 1; reg < 32; ++reg) EXPECT_EQ(x(reg), 100 + reg);
  for (Reg reg = 1; reg < 32; ++reg) {
    set_x(a0, reg == a0 ? 100 + a0 : 0);
    execute({add(a0, reg, zero)});
    EXPECT_EQ(x(a0), 100 + reg);
    execute({sub(a0, zero, reg)});
    EXPECT_EQ(x(a0), 0U - (100 + reg));
  }
}

}  // namespace
}  // namespace ftlab::iss::riscv
