// Loads and stores: extension, order of bytes, memory, the bus, and what does not work.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/platform/machine/iss/riscv/core_fixture.h"

namespace ftlab::iss::riscv {
namespace {

using namespace assembler;
using Accesses = std::vector<std::string>;

class MemoryAccessTest : public CoreTest {
 protected:
  MemoryAccessTest() { set_csr(csr::kMtvec, kHandler); }

  /// One instruction with a0 = address; answers mcause, 0 when it is complete.
  std::uint32_t cause_of(Code code, std::uint32_t address) {
    place(kRom, {code});
    core->code_changed(kRom, 4);
    core->set_pc(kRom);
    set_x(a0, address);
    set_x(a1, 0x11223344);
    set_csr(csr::kMcause, 0);
    EXPECT_EQ(core->run(1).reason, StopReason::budget);
    EXPECT_EQ(core->pc(), csr_value(csr::kMcause) == 0 ? kRom + 4 : kHandler);
    return csr_value(csr::kMcause);
  }
};

TEST_F(MemoryAccessTest, loads_extend_by_sign_or_zero) {
  set_ram_word(8, 0xf2e8d981);
  set_x(a0, kRam + 8);
  execute({lb(a1, 0, a0), lb(a2, 3, a0), lbu(a3, 0, a0), lbu(a4, 3, a0), lh(a5, 0, a0), lhu(t0, 2, a0), lh(t1, 2, a0)});
  EXPECT_EQ(x(a1), 0xffffff81U);
  EXPECT_EQ(x(a2), 0xfffffff2U);
  EXPECT_EQ(x(a3), 0x81U);
  EXPECT_EQ(x(a4), 0xf2U);
  EXPECT_EQ(x(a5), 0xffffd981U);
  EXPECT_EQ(x(t0), 0xf2e8U);
  EXPECT_EQ(x(t1), 0xfffff2e8U);
  set_ram_word(8, 0x7f007f7f);
  execute({lb(a1, 0, a0), lh(a2, 0, a0), lw(a3, 0, a0)});
  EXPECT_EQ(x(a1), 0x7fU);
  EXPECT_EQ(x(a2), 0x7f7fU);
  EXPECT_EQ(x(a3), 0x7f007f7fU);
}

TEST_F(MemoryAccessTest, memory_left_to_the_bus_is_asked_for_there) {
  configure({.reset_pc = kRom, .misaligned_done = true});
  set_csr(csr::kMtvec, kHandler);
  core->leave_to_bus(kRam + 4, true);
  // The bus of this test answers devices alone.
  for (const Code code : {lw(a2, 4, a0), lw(a2, 1, a0), sh(a1, 9, a0)}) EXPECT_NE(cause_of(code, kRam), 0U);
  EXPECT_EQ(bus.accesses, (Accesses{"read 20000004 4", "read 20000001 4", "write 20000009 2 3344"}));
  bus.accesses.clear();
  core->leave_to_bus(kRam, false);
  set_ram_word(4, 0xaabbccdd);
  set_ram_word(8, 0);
  execute({lw(a2, 4, a0), lw(a3, 5, a0), sh(a1, 9, a0)});
  EXPECT_EQ(x(a2), 0xaabbccddU);
  EXPECT_EQ(x(a3), 0x00aabbccU);
  EXPECT_EQ(ram_word(8), 0x00334400U);
  EXPECT_EQ(bus.accesses, Accesses{});
}

TEST_F(MemoryAccessTest, offsets_are_signed) {
  set_ram_word(0, 0x11111111);
  set_ram_word(4092, 0x22222222);
  set_x(a0, kRam + 2048);
  execute({lw(a1, -2048, a0), lw(a2, 2044, a0), sw(a2, -2044, a0)});
  EXPECT_EQ(x(a1), 0x11111111U);
  EXPECT_EQ(x(a2), 0x22222222U);
  EXPECT_EQ(ram_word(4), 0x22222222U);
}

TEST_F(MemoryAccessTest, stores_write_so_many_bytes_and_no_others) {
  set_x(a0, kRam);
  set_x(a1, 0x11223344);
  for (const std::uint32_t at : {0U, 4U, 8U}) set_ram_word(at, 0xffffffff);
  execute({sb(a1, 1, a0), sh(a1, 6, a0), sw(a1, 8, a0)});
  EXPECT_EQ(ram_word(0), 0xffff44ffU);
  EXPECT_EQ(ram_word(4), 0x3344ffffU);
  EXPECT_EQ(ram_word(8), 0x11223344U);
}

TEST_F(MemoryAccessTest, memory_without_code_is_stored_to_up_to_its_end) {
  const auto word = [this](std::uint32_t offset) {
    std::uint32_t value = 0;
    std::memcpy(&value, &data[offset], sizeof value);
    return value;
  };
  set_x(a0, kData + kMemoryBytes - 8);
  set_x(a1, 0x11223344);
  execute({sw(a1, 0, a0), sh(a1, 4, a0), sb(a1, 7, a0)});
  EXPECT_EQ(word(kMemoryBytes - 8), 0x11223344U);
  EXPECT_EQ(word(kMemoryBytes - 4), 0x44003344U);
  EXPECT_EQ(cause_of(sw(a1, 0, a0), kData + kMemoryBytes), static_cast<std::uint32_t>(Cause::store_fault));
  EXPECT_EQ(cause_of(sh(a1, 0, a0), kData + 1), static_cast<std::uint32_t>(Cause::store_misaligned));
}

TEST_F(MemoryAccessTest, read_only_memory_is_read) {
  place(kRom + 64, {0xcafe0123});
  set_x(a0, kRom + 64);
  execute({lw(a1, 0, a0), lhu(a2, 2, a0)});
  EXPECT_EQ(x(a1), 0xcafe0123U);
  EXPECT_EQ(x(a2), 0xcafeU);
  EXPECT_TRUE(bus.accesses.empty());
}

TEST_F(MemoryAccessTest, other_addresses_are_the_bus_s) {
  bus.value = 0x8081f2f3;
  set_x(a0, kDevice);
  set_x(a1, 0x11223344);
  execute({lb(a2, 1, a0), lhu(a3, 2, a0), lw(a4, 4, a0), sb(a1, 5, a0), sh(a1, 6, a0), sw(a1, 8, a0), lh(a5, 0, a0)});
  EXPECT_EQ(bus.accesses, (Accesses{"read 40000001 1", "read 40000002 2", "read 40000004 4", "write 40000005 1 44",
                                    "write 40000006 2 3344", "write 40000008 4 11223344", "read 40000000 2"}));
  EXPECT_EQ(x(a2), 0xfffffff3U);
  EXPECT_EQ(x(a3), 0xf2f3U);
  EXPECT_EQ(x(a4), 0x8081f2f3U);
  EXPECT_EQ(x(a5), 0xfffff2f3U);
}

TEST_F(MemoryAccessTest, a_load_into_x0_still_accesses_the_bus) {
  set_x(a0, kDevice);
  execute({lw(zero, 0, a0)});
  EXPECT_EQ(bus.accesses, Accesses{"read 40000000 4"});
  EXPECT_EQ(x(zero), 0U);
}

TEST_F(MemoryAccessTest, a_bus_error_is_an_access_fault_and_changes_nothing) {
  bus.value = 77;
  EXPECT_EQ(cause_of(lw(a1, 4, a0), kNothing), 5U);
  EXPECT_EQ(csr_value(csr::kMtval), kNothing + 4);
  EXPECT_EQ(csr_value(csr::kMepc), kRom);
  EXPECT_EQ(x(a1), 0x11223344U);
  EXPECT_EQ(cause_of(sb(a1, 3, a0), kNothing), 7U);
  EXPECT_EQ(csr_value(csr::kMtval), kNothing + 3);
  EXPECT_EQ(cause_of(lw(a1, 0, a0), kDevice), 0U);
}

TEST_F(MemoryAccessTest, a_store_to_read_only_memory_is_the_bus_s_to_refuse) {
  EXPECT_EQ(cause_of(sw(a1, 0, a0), kRom + 128), 7U);
  EXPECT_EQ(bus.accesses, Accesses{"write 1080 4 11223344"});
}

TEST_F(MemoryAccessTest, memory_ends_where_its_region_ends) {
  EXPECT_EQ(cause_of(lw(a1, 0, a0), kRam + kMemoryBytes - 4), 0U);
  EXPECT_EQ(cause_of(lb(a1, 0, a0), kRam + kMemoryBytes - 1), 0U);
  EXPECT_EQ(cause_of(lb(a1, 0, a0), kRam + kMemoryBytes), 5U);
  EXPECT_EQ(cause_of(lw(a1, 0, a0), kRam - 4), 5U);
  EXPECT_EQ(cause_of(lw(a1, 0, a0), kRom - 4), 5U);
}

TEST_F(MemoryAccessTest, misaligned_accesses_are_exceptions) {
  for (const Code code : {lw(a1, 0, a0), lh(a1, 0, a0), lhu(a1, 0, a0)}) {
    EXPECT_EQ(cause_of(code, kRam + 1), 4U);
    EXPECT_EQ(csr_value(csr::kMtval), kRam + 1);
  }
  EXPECT_EQ(cause_of(lw(a1, 0, a0), kRam + 2), 4U);
  EXPECT_EQ(cause_of(sw(a1, 0, a0), kRam + 2), 6U);
  EXPECT_EQ(cause_of(sh(a1, 0, a0), kRam + 3), 6U);
  EXPECT_EQ(cause_of(lw(a1, 0, a0), kDevice + 2), 4U);
  EXPECT_EQ(ram_word(0), 0U);
  EXPECT_TRUE(bus.accesses.empty());
}

TEST_F(MemoryAccessTest, a_core_may_do_misaligned_accesses_to_memory) {
  configure({.reset_pc = kRom, .misaligned_done = true});
  set_csr(csr::kMtvec, kHandler);
  set_ram_word(0, 0xf3e2d1c0);
  set_ram_word(4, 0x74655647);
  set_x(a0, kRam + 1);
  execute({lw(a1, 0, a0), lh(a2, 2, a0), lw(a3, 2, a0)});
  EXPECT_EQ(x(a1), 0x47f3e2d1U);
  EXPECT_EQ(x(a2), 0x000047f3U);
  EXPECT_EQ(x(a3), 0x655647f3U);
  set_x(a1, 0x01020304);
  execute({sw(a1, 0, a0), sh(a1, 4, a0)});
  EXPECT_EQ(ram_word(0), 0x020304c0U);
  EXPECT_EQ(ram_word(4), 0x74030401U);
}

TEST_F(MemoryAccessTest, a_misaligned_access_that_memory_does_not_hold_is_an_access_fault) {
  configure({.reset_pc = kRom, .misaligned_done = true});
  set_csr(csr::kMtvec, kHandler);
  EXPECT_EQ(cause_of(lw(a1, 0, a0), kRam + kMemoryBytes - 2), 5U);
  EXPECT_EQ(cause_of(sw(a1, 0, a0), kRam + kMemoryBytes - 2), 7U);
  EXPECT_EQ(ram_word(kMemoryBytes - 4), 0U);
  EXPECT_EQ(cause_of(lh(a1, 0, a0), kDevice + 1), 5U);
  EXPECT_EQ(cause_of(sh(a1, 0, a0), kRom + 1), 7U);
  EXPECT_TRUE(bus.accesses.empty());
}

}  // namespace
}  // namespace ftlab::iss::riscv
