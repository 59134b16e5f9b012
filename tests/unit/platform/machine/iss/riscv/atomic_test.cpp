// Extension A.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/platform/machine/iss/riscv/core_fixture.h"

namespace ftlab::iss::riscv {
namespace {

using namespace assembler;

class AtomicTest : public CoreTest {
 protected:
  AtomicTest() {
    set_csr(csr::kMtvec, kHandler);
    set_x(a0, kRam + 16);
  }
  /// What memory holds after the instruction; a2 has the old value.
  std::uint32_t stored(Code code, std::uint32_t old, std::uint32_t operand) {
    set_ram_word(16, old);
    set_x(a1, operand);
    execute({code});
    EXPECT_EQ(x(a2), old);
    return ram_word(16);
  }
  std::uint32_t cause_of(Code code, std::uint32_t address) {
    place(kRom, {code});
    core->code_changed(kRom, 4);
    core->set_pc(kRom);
    set_x(a0, address);
    core->run(1);
    EXPECT_EQ(core->pc(), kHandler);
    EXPECT_EQ(csr_value(csr::kMtval), address);
    return csr_value(csr::kMcause);
  }
};

TEST_F(AtomicTest, amo_stores_what_it_computes_and_answers_the_old_value) {
  EXPECT_EQ(stored(amoswap_w(a2, a1, a0), 5, 6), 6U);
  EXPECT_EQ(stored(amoadd_w(a2, a1, a0), 0xffffffff, 2), 1U);
  EXPECT_EQ(stored(amoxor_w(a2, a1, a0), 0xff00, 0x0ff0), 0xf0f0U);
  EXPECT_EQ(stored(amoand_w(a2, a1, a0), 0xff00, 0x0ff0), 0x0f00U);
  EXPECT_EQ(stored(amoor_w(a2, a1, a0), 0xff00, 0x0ff0), 0xfff0U);
  EXPECT_EQ(stored(amomin_w(a2, a1, a0), 0x80000000, 1), 0x80000000U);
  EXPECT_EQ(stored(amomin_w(a2, a1, a0), 2, 1), 1U);
  EXPECT_EQ(stored(amomax_w(a2, a1, a0), 0x80000000, 1), 1U);
  EXPECT_EQ(stored(amomax_w(a2, a1, a0), 2, 1), 2U);
  EXPECT_EQ(stored(amominu_w(a2, a1, a0), 0x80000000, 1), 1U);
  EXPECT_EQ(stored(amominu_w(a2, a1, a0), 1, 2), 1U);
  EXPECT_EQ(stored(amomaxu_w(a2, a1, a0), 0x80000000, 1), 0x80000000U);
  EXPECT_EQ(stored(amomaxu_w(a2, a1, a0), 1, 2), 2U);
}

TEST_F(AtomicTest, sc_succeeds_once_behind_lr) {
  set_ram_word(16, 5);
  set_x(a1, 6);
  execute({lr_w(a2, a0), sc_w(a3, a1, a0), sc_w(a4, a1, a0)});
  EXPECT_EQ(x(a2), 5U);
  EXPECT_EQ(x(a3), 0U);
  EXPECT_EQ(x(a4), 1U);
  EXPECT_EQ(ram_word(16), 6U);
}

TEST_F(AtomicTest, sc_fails_elsewhere_and_ends_the_reservation) {
  set_x(a1, 6);
  set_x(t0, kRam + 20);
  execute({lr_w(a2, a0), sc_w(a3, a1, t0), sc_w(a4, a1, a0)});
  EXPECT_EQ(x(a3), 1U);
  EXPECT_EQ(x(a4), 1U);
  EXPECT_EQ(ram_word(16), 0U);
  EXPECT_EQ(ram_word(20), 0U);
}

TEST_F(AtomicTest, sc_fails_when_somebody_else_has_written_the_word) {
  execute({lr_w(a2, a0)});
  core->code_changed(kRam + 20, 4);
  execute({sc_w(a3, a1, a0)});
  EXPECT_EQ(x(a3), 0U);
  execute({lr_w(a2, a0)});
  core->code_changed(kRam + 8, 12);
  execute({sc_w(a3, a1, a0)});
  EXPECT_EQ(x(a3), 1U);
}

TEST_F(AtomicTest, devices_are_read_and_written) {
  bus.value = 40;
  set_x(a0, kDevice);
  set_x(a1, 2);
  execute({amoadd_w(a2, a1, a0)});
  EXPECT_EQ(bus.accesses, (std::vector<std::string>{"read 40000000 4", "write 40000000 4 2a"}));
  EXPECT_EQ(x(a2), 40U);
}

TEST_F(AtomicTest, they_are_never_done_misaligned) {
  configure({.reset_pc = kRom, .misaligned_done = true});
  set_csr(csr::kMtvec, kHandler);
  EXPECT_EQ(cause_of(lr_w(a2, a0), kRam + 2), 4U);
  EXPECT_EQ(cause_of(sc_w(a2, a1, a0), kRam + 2), 6U);
  EXPECT_EQ(cause_of(amoor_w(a2, a1, a0), kRam + 1), 6U);
}

TEST_F(AtomicTest, what_is_not_there_is_an_access_fault) {
  EXPECT_EQ(cause_of(lr_w(a2, a0), kNothing), 5U);
  EXPECT_EQ(cause_of(amoor_w(a2, a1, a0), kNothing), 7U);
  EXPECT_EQ(cause_of(amoor_w(a2, a1, a0), kRom + 64), 7U);
}

}  // namespace
}  // namespace ftlab::iss::riscv
