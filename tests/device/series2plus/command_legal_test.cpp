// Every command of the card in its right place: what it does, where no other file here is about that. What is refused:
// command_refused_test.cpp.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

TEST(LegalCommand, read_array_returns_data) {
  CardFixture fixture;
  fixture.poke16(10, 0xCAFE);
  fixture.csr(0);
  fixture.read_array(0);
  EXPECT_EQ(fixture.read16(10), 0xCAFE);
}

TEST(LegalCommand, idle_status_registers_read_80_86_80) {
  CardFixture fixture;
  EXPECT_EQ(fixture.csr(0), both(0x80));
  EXPECT_EQ(fixture.gsr(0), both(0x86));
  EXPECT_EQ(fixture.bsr(0), both(0x80));
}

TEST(LegalCommand, csr_is_read_at_any_address) {
  CardFixture fixture;
  fixture.command(0, command::kReadCsr);
  EXPECT_EQ(fixture.read16(5 * kSegment + 46), both(0x80));
}

TEST(LegalCommand, clear_status_clears_errors_of_all_registers) {
  CardFixture fixture;
  fixture.command(0, command::kErase);
  fixture.command(0, command::kReadArray);  // wrong confirm
  fixture.core.set_vpp_pin(fixture.now, false);
  fixture.erase(0);
  EXPECT_NE(fixture.bsr(0) & both(regs::bsr::kVppLow), 0);
  fixture.command(0, command::kClearStatus);
  EXPECT_EQ(fixture.csr(0), both(0x80));
  EXPECT_EQ(fixture.gsr(0), both(0x86));
  EXPECT_EQ(fixture.bsr(0), both(0x80));
}

TEST(LegalCommand, both_program_codes_program) {
  for (const std::uint8_t code : {command::kProgram, command::kProgramAlternate}) {
    CardFixture fixture;
    fixture.command(20, code);
    fixture.write16(20, 0x55AA);
    fixture.finish();
    EXPECT_EQ(fixture.peek16(20), 0x55AA);
    EXPECT_EQ(fixture.csr(0), both(0x80));
  }
}

TEST(LegalCommand, erase_sets_every_bit_of_one_segment_only) {
  CardFixture fixture;
  for (const std::uint32_t address : {kSegment - 2, kSegment, 2 * kSegment - 2, 2 * kSegment})
    fixture.poke16(address, 0);
  fixture.erase(kSegment);
  fixture.finish();
  EXPECT_EQ(fixture.peek16(kSegment - 2), 0);
  EXPECT_EQ(fixture.peek16(kSegment), 0xFFFF);
  EXPECT_EQ(fixture.peek16(2 * kSegment - 2), 0xFFFF);
  EXPECT_EQ(fixture.peek16(2 * kSegment), 0);
  EXPECT_EQ(fixture.core.erase_count(1), 1U);
  EXPECT_EQ(fixture.core.erase_count(0), 0U);
}

TEST(LegalCommand, status_during_erase_is_00_06_and_block_busy) {
  CardFixture fixture;
  fixture.command(0, command::kUploadLockBits);
  fixture.command(0, command::kConfirm);
  fixture.finish();
  fixture.erase(0);
  EXPECT_EQ(fixture.csr(0), both(0x00));
  EXPECT_EQ(fixture.gsr(0), both(0x06));
  EXPECT_EQ(fixture.bsr(0), both(0x40));
  EXPECT_EQ(fixture.bsr(kSegment), both(0xC0)) << "another block of the pair is not busy";
}

TEST(LegalCommand, erase_all_erases_the_pair_and_not_the_other) {
  CardFixture fixture;
  fixture.poke16(0, 0);
  fixture.poke16(31 * kSegment + 4, 0);
  fixture.poke16(CardFixture::kPair, 0);
  fixture.command(0, command::kEraseAllUnlocked);
  fixture.command(0, command::kConfirm);
  fixture.finish();
  EXPECT_EQ(fixture.peek16(0), 0xFFFF);
  EXPECT_EQ(fixture.peek16(31 * kSegment + 4), 0xFFFF);
  EXPECT_EQ(fixture.peek16(CardFixture::kPair), 0);
  EXPECT_EQ(fixture.core.erase_count(31), 1U);
  EXPECT_EQ(fixture.core.erase_count(32), 0U);
}

TEST(LegalCommand, sleep_shows_in_gsr_and_read_array_wakes) {
  CardFixture fixture;
  fixture.poke16(4, 0x4711);
  fixture.command(0, command::kSleep);
  EXPECT_EQ(fixture.gsr(0), both(regs::gsr::kReady | regs::gsr::kSleep));
  fixture.read_array(0);
  fixture.now += fixture.core.spec().timing.wake;
  EXPECT_EQ(fixture.read16(4), 0x4711);
  EXPECT_EQ(fixture.gsr(0), both(0x86));
}

TEST(LegalCommand, abort_of_idle_part_ends_asleep) {
  CardFixture fixture;
  fixture.command(0, command::kAbort);
  EXPECT_EQ(fixture.gsr(0), both(regs::gsr::kReady | regs::gsr::kSleep));
}

TEST(LegalCommand, abort_leaves_failed_and_aborted_until_cleared) {
  CardFixture fixture;
  fixture.erase(0);
  fixture.now += fixture.core.spec().timing.erase / 2;
  fixture.command(0, command::kAbort);
  EXPECT_EQ(fixture.gsr(0), both(0xB0));
  EXPECT_EQ(fixture.bsr(0), both(0xB0));
  ASSERT_EQ(fixture.observer.ended.size(), 1U);
  EXPECT_TRUE(fixture.observer.ended[0].failed);
  fixture.read_array(0);
  fixture.command(0, command::kClearStatus);
  fixture.now += fixture.core.spec().timing.wake;
  EXPECT_EQ(fixture.gsr(0), both(0x86));
  fixture.erase(0);
  fixture.finish();
  EXPECT_EQ(fixture.csr(0), both(0x80));
  EXPECT_EQ(fixture.bsr(0), both(0x80));
}

TEST(LegalCommand, device_information_lands_in_the_other_page_buffer) {
  CardFixture fixture;
  fixture.command(0, command::kUploadDeviceInfo);
  fixture.command(0, command::kConfirm);
  fixture.finish();
  fixture.command(0, command::kSwapPageBuffer);
  fixture.command(0, command::kReadPageBuffer);
  EXPECT_EQ(fixture.read16(2 * regs::kDeviceRevisionByte), both(fixture.core.spec().device_revision));
}

TEST(LegalCommand, every_ready_mode_is_taken) {
  using namespace series2plus;
  for (const std::uint8_t mode :
       {ready_mode::kLevel, ready_mode::kPulseOnWrite, ready_mode::kPulseOnErase, ready_mode::kDisable}) {
    CardFixture fixture;
    fixture.command(0, command::kReadyBusyMode);
    fixture.command(0, mode);
    EXPECT_EQ(fixture.csr(0), both(0x80)) << int{mode};
    fixture.erase(0);
    EXPECT_EQ(fixture.core.line_level(fixture.now), mode != ready_mode::kLevel) << int{mode};
  }
}

}  // namespace
}  // namespace ftlab::hw::testing
