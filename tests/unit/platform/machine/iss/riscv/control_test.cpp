// Jumps and branches, of 32 and of 16 bits.
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/unit/platform/machine/iss/riscv/core_fixture.h"

namespace ftlab::iss::riscv {
namespace {

using namespace assembler;

class ControlTest : public CoreTest {
 protected:
  /// The pc after one instruction.
  std::uint32_t pc_after_one() {
    core->code_changed(kRom, kMemoryBytes);
    core->set_pc(kMiddle);
    EXPECT_EQ(core->run(1).reason, StopReason::budget);
    return core->pc();
  }
  std::uint32_t pc_after(Code code, std::uint32_t a = 0, std::uint32_t b = 0) {
    set_x(a0, a);
    set_x(a1, b);
    place(kMiddle, {code});
    return pc_after_one();
  }
  std::uint32_t pc_after_half(std::uint32_t half) {
    place_half(kMiddle, half);
    return pc_after_one();
  }
  bool taken(Code branch, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t pc = pc_after(branch, a, b);
    EXPECT_TRUE(pc == kMiddle + 16 || pc == kMiddle + 4);
    return pc == kMiddle + 16;
  }

  static constexpr std::uint32_t kMiddle = kRom + 2048;
};

TEST_F(ControlTest, jal_jumps_and_links) {
  EXPECT_EQ(pc_after(jal(ra, 2046)), kMiddle + 2046);
  EXPECT_EQ(x(ra), kMiddle + 4);
  EXPECT_EQ(pc_after(jal(t0, -2048)), kRom);
  EXPECT_EQ(x(t0), kMiddle + 4);
  EXPECT_EQ(pc_after(jal(zero, 0xffffe)), kMiddle + 0xffffe);
  EXPECT_EQ(pc_after(jal(zero, -0x100000)), kMiddle - 0x100000);
  EXPECT_EQ(x(zero), 0U);
}

TEST_F(ControlTest, jalr_adds_and_clears_the_lowest_bit) {
  EXPECT_EQ(pc_after(jalr(ra, a0, 8), kRom), kRom + 8);
  EXPECT_EQ(x(ra), kMiddle + 4);
  EXPECT_EQ(pc_after(jalr(ra, a0, -1), kRom + 5), kRom + 4);
  EXPECT_EQ(pc_after(jalr(ra, a0, 0), kRom + 7), kRom + 6);
  EXPECT_EQ(pc_after(jalr(ra, a0, -4), 0), 0xfffffffcU);
}

TEST_F(ControlTest, jalr_reads_its_register_before_it_links) {
  EXPECT_EQ(pc_after(jalr(a0, a0, 4), kRom), kRom + 4);
  EXPECT_EQ(x(a0), kMiddle + 4);
}

TEST_F(ControlTest, branches_compare) {
  constexpr std::uint32_t kNegative = 0x80000000;
  EXPECT_TRUE(taken(beq(a0, a1, 16), 5, 5));
  EXPECT_FALSE(taken(beq(a0, a1, 16), 5, 6));
  EXPECT_TRUE(taken(bne(a0, a1, 16), 5, 6));
  EXPECT_FALSE(taken(bne(a0, a1, 16), 5, 5));
  EXPECT_TRUE(taken(blt(a0, a1, 16), kNegative, 0));
  EXPECT_FALSE(taken(blt(a0, a1, 16), 0, kNegative));
  EXPECT_FALSE(taken(blt(a0, a1, 16), 3, 3));
  EXPECT_TRUE(taken(bge(a0, a1, 16), 0, kNegative));
  EXPECT_TRUE(taken(bge(a0, a1, 16), 3, 3));
  EXPECT_FALSE(taken(bge(a0, a1, 16), kNegative, 0));
  EXPECT_TRUE(taken(bltu(a0, a1, 16), 0, kNegative));
  EXPECT_FALSE(taken(bltu(a0, a1, 16), kNegative, 0));
  EXPECT_FALSE(taken(bltu(a0, a1, 16), 3, 3));
  EXPECT_TRUE(taken(bgeu(a0, a1, 16), kNegative, 0));
  EXPECT_TRUE(taken(bgeu(a0, a1, 16), 3, 3));
  EXPECT_FALSE(taken(bgeu(a0, a1, 16), 0, kNegative));
}

TEST_F(ControlTest, branches_reach_as_far_as_their_immediate) {
  EXPECT_EQ(pc_after(beq(zero, zero, -4096)), kMiddle - 4096);
  EXPECT_EQ(pc_after(beq(zero, zero, 4094)), kMiddle + 4094);
  EXPECT_EQ(pc_after(beq(zero, zero, -2)), kMiddle - 2);
  EXPECT_EQ(pc_after(beq(zero, zero, 2046)), kMiddle + 2046);
}

TEST_F(ControlTest, compressed_jumps) {
  EXPECT_EQ(pc_after_half(0xaffd), kMiddle + 2046);  // c.j 2046
  EXPECT_EQ(pc_after_half(0xb001), kMiddle - 2048);  // c.j -2048
  EXPECT_EQ(pc_after_half(0x2831), kMiddle + 28);    // c.jal 28
  EXPECT_EQ(x(ra), kMiddle + 2);
  set_x(a0, kRom + 9);
  EXPECT_EQ(pc_after_half(0x8502), kRom + 8);  // c.jr a0
  EXPECT_EQ(x(ra), kMiddle + 2);
  set_x(ra, kRom + 12);
  EXPECT_EQ(pc_after_half(0x9082), kRom + 12);  // c.jalr ra
  EXPECT_EQ(x(ra), kMiddle + 2);
}

TEST_F(ControlTest, compressed_branches) {
  set_x(s0, 0);
  EXPECT_EQ(pc_after_half(0xcc7d), kMiddle + 254);  // c.beqz s0, 254
  EXPECT_EQ(pc_after_half(0xf001), kMiddle + 2);    // c.bnez s0, -256
  set_x(s0, 1);
  EXPECT_EQ(pc_after_half(0xcc7d), kMiddle + 2);
  EXPECT_EQ(pc_after_half(0xf001), kMiddle - 256);
}

TEST_F(ControlTest, a_loop_of_branches_ends_when_it_should) {
  // Both ways of a branch, again and again: the blocks remember each other.
  place(kRom, {addi(a0, zero, 1000), addi(a1, a1, 1), andi(a2, a0, 1), beq(a2, zero, 8), addi(a3, a3, 1),
               addi(a0, a0, -1), bne(a0, zero, -20), ebreak});
  configure({.reset_pc = kRom, .reported = RiscvConfig::bit(Cause::breakpoint)});
  EXPECT_EQ(core->run(1'000'000).reason, StopReason::breakpoint);
  EXPECT_EQ(x(a1), 1000U);
  EXPECT_EQ(x(a3), 500U);
  EXPECT_EQ(core->instructions(), 1 + 1000 * 5 + 500 + 1U);
}

TEST_F(ControlTest, one_jalr_leads_to_many_places) {
  // A call each of five functions, from one place: a table of addresses in RAM.
  for (std::uint32_t i = 0; i < 5; ++i) {
    set_ram_word(4 * i, kRom + 256 + 16 * i);
    place(kRom + 256 + 16 * i, {addi(a2, a2, static_cast<Imm>(1 << i)), slli(a2, a2, 1), jalr(zero, ra, 0)});
  }
  place(kRom, {lui(s0, kRam >> 12), addi(s1, s0, 20), lw(a1, 0, s0), jalr(ra, a1, 0), addi(s0, s0, 4), bne(s0, s1, -12),
               ebreak});
  configure({.reset_pc = kRom, .reported = RiscvConfig::bit(Cause::breakpoint)});
  EXPECT_EQ(core->run(1'000).reason, StopReason::breakpoint);
  std::uint32_t expected = 0;
  for (std::uint32_t i = 0; i < 5; ++i) expected = (expected + (1U << i)) << 1;
  EXPECT_EQ(x(a2), expected);
}

}  // namespace
}  // namespace ftlab::iss::riscv
