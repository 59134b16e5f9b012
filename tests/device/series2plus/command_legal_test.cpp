// Every command of the card in its right place: what it does. What is refused: command_refused_test.cpp.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

TEST(LegalCommand, read_array_returns_data) {
  CardRig rig;
  rig.poke16(10, 0xCAFE);
  rig.csr(0);
  rig.read_array(0);
  EXPECT_EQ(rig.read16(10), 0xCAFE);
}

TEST(LegalCommand, power_up_default_is_read_array) {
  CardRig rig;
  rig.poke16(10, 0xCAFE);
  EXPECT_EQ(rig.read16(10), 0xCAFE);
}

TEST(LegalCommand, identifier_is_89_a0_of_each_component) {
  CardRig rig;
  rig.command(0, command::kReadIdentifier);
  EXPECT_EQ(rig.read16(0), 0x8989);
  EXPECT_EQ(rig.read16(2), 0xA0A0);
}

TEST(LegalCommand, idle_status_registers_read_80_86_80) {
  CardRig rig;
  EXPECT_EQ(rig.csr(0), both(0x80));
  EXPECT_EQ(rig.gsr(0), both(0x86));
  EXPECT_EQ(rig.bsr(0), both(0x80));
}

TEST(LegalCommand, csr_is_read_at_any_address) {
  CardRig rig;
  rig.command(0, command::kReadCsr);
  EXPECT_EQ(rig.read16(5 * kSegment + 46), both(0x80));
}

TEST(LegalCommand, clear_status_clears_errors_of_all_registers) {
  CardRig rig;
  rig.command(0, command::kErase);
  rig.command(0, command::kReadArray);  // wrong confirm
  rig.core.set_vpp_pin(rig.now, false);
  rig.erase(0);
  EXPECT_NE(rig.bsr(0) & both(regs::bsr::kVppLow), 0);
  rig.command(0, command::kClearStatus);
  EXPECT_EQ(rig.csr(0), both(0x80));
  EXPECT_EQ(rig.gsr(0), both(0x86));
  EXPECT_EQ(rig.bsr(0), both(0x80));
}

TEST(LegalCommand, both_program_codes_program) {
  for (const std::uint8_t code : {command::kProgram, command::kProgramAlternate}) {
    CardRig rig;
    rig.command(20, code);
    rig.write16(20, 0x55AA);
    rig.finish();
    EXPECT_EQ(rig.peek16(20), 0x55AA);
    EXPECT_EQ(rig.csr(0), both(0x80));
  }
}

TEST(LegalCommand, erase_sets_every_bit_of_one_segment_only) {
  CardRig rig;
  for (const std::uint32_t address : {kSegment - 2, kSegment, 2 * kSegment - 2, 2 * kSegment}) rig.poke16(address, 0);
  rig.erase(kSegment);
  rig.finish();
  EXPECT_EQ(rig.peek16(kSegment - 2), 0);
  EXPECT_EQ(rig.peek16(kSegment), 0xFFFF);
  EXPECT_EQ(rig.peek16(2 * kSegment - 2), 0xFFFF);
  EXPECT_EQ(rig.peek16(2 * kSegment), 0);
  EXPECT_EQ(rig.core.erase_count(1), 1U);
  EXPECT_EQ(rig.core.erase_count(0), 0U);
}

TEST(LegalCommand, status_during_erase_is_00_06_and_block_busy) {
  CardRig rig;
  rig.command(0, command::kUploadLockBits);
  rig.command(0, command::kConfirm);
  rig.finish();
  rig.erase(0);
  EXPECT_EQ(rig.csr(0), both(0x00));
  EXPECT_EQ(rig.gsr(0), both(0x06));
  EXPECT_EQ(rig.bsr(0), both(0x40));
  EXPECT_EQ(rig.bsr(kSegment), both(0xC0)) << "another block of the pair is not busy";
}

TEST(LegalCommand, erase_all_erases_the_pair_and_not_the_other) {
  CardRig rig;
  rig.poke16(0, 0);
  rig.poke16(31 * kSegment + 4, 0);
  rig.poke16(CardRig::kPair, 0);
  rig.command(0, command::kEraseAllUnlocked);
  rig.command(0, command::kConfirm);
  rig.finish();
  EXPECT_EQ(rig.peek16(0), 0xFFFF);
  EXPECT_EQ(rig.peek16(31 * kSegment + 4), 0xFFFF);
  EXPECT_EQ(rig.peek16(CardRig::kPair), 0);
  EXPECT_EQ(rig.core.erase_count(31), 1U);
  EXPECT_EQ(rig.core.erase_count(32), 0U);
}

TEST(LegalCommand, sleep_shows_in_gsr_and_read_array_wakes) {
  CardRig rig;
  rig.poke16(4, 0x4711);
  rig.command(0, command::kSleep);
  EXPECT_EQ(rig.gsr(0), both(regs::gsr::kReady | regs::gsr::kSleep));
  rig.read_array(0);
  rig.now += rig.core.spec().timing.wake;
  EXPECT_EQ(rig.read16(4), 0x4711);
  EXPECT_EQ(rig.gsr(0), both(0x86));
}

TEST(LegalCommand, abort_of_idle_part_ends_asleep) {
  CardRig rig;
  rig.command(0, command::kAbort);
  EXPECT_EQ(rig.gsr(0), both(regs::gsr::kReady | regs::gsr::kSleep));
}

TEST(LegalCommand, abort_leaves_failed_and_aborted_until_cleared) {
  CardRig rig;
  rig.erase(0);
  rig.now += rig.core.spec().timing.erase / 2;
  rig.command(0, command::kAbort);
  EXPECT_EQ(rig.gsr(0), both(0xB0));
  EXPECT_EQ(rig.bsr(0), both(0xB0));
  ASSERT_EQ(rig.observer.ended.size(), 1U);
  EXPECT_TRUE(rig.observer.ended[0].failed);
  rig.read_array(0);
  rig.command(0, command::kClearStatus);
  rig.now += rig.core.spec().timing.wake;
  EXPECT_EQ(rig.gsr(0), both(0x86));
  rig.erase(0);
  rig.finish();
  EXPECT_EQ(rig.csr(0), both(0x80));
  EXPECT_EQ(rig.bsr(0), both(0x80));
}

TEST(LegalCommand, device_information_lands_in_the_other_page_buffer) {
  CardRig rig;
  rig.command(0, command::kUploadDeviceInfo);
  rig.command(0, command::kConfirm);
  rig.finish();
  rig.command(0, command::kSwapPageBuffer);
  rig.command(0, command::kReadPageBuffer);
  EXPECT_EQ(rig.read16(2 * regs::kDeviceRevisionByte), both(rig.core.spec().device_revision));
}

TEST(LegalCommand, two_byte_program_programs_both_halves_of_each_component) {
  CardRig rig;
  rig.command(8, command::kTwoByteProgram);
  rig.write16(8, 0x1111);
  rig.write16(8, 0x2222);
  rig.finish();
  EXPECT_EQ(rig.peek16(8), 0x1111);
  EXPECT_EQ(rig.peek16(10), 0x2222);
}

TEST(LegalCommand, suspend_and_resume_take_an_erase_apart) {
  CardRig rig;
  rig.erase(0);
  rig.command(0, command::kSuspend);
  rig.wait_ready();
  EXPECT_EQ(rig.csr(0), both(regs::csr::kReady | regs::csr::kEraseSuspended));
  rig.command(0, command::kResume);
  EXPECT_EQ(rig.csr(0), both(0x00));
  rig.finish();
  EXPECT_EQ(rig.core.erase_count(0), 1U);
}

TEST(LegalCommand, single_and_sequential_load_fill_the_page_buffer_that_75_reads) {
  CardRig rig;
  const auto data = pattern(512);
  rig.load(0, data);
  rig.command(0, command::kSingleLoad);
  rig.write16(40, 0xBEEF);
  rig.command(0, command::kReadPageBuffer);
  EXPECT_EQ(rig.read16(40), 0xBEEF);
  EXPECT_EQ(rig.read8(42), std::to_integer<std::uint8_t>(data[42]));
}

TEST(LegalCommand, page_buffer_write_programs_what_was_loaded) {
  CardRig rig;
  const auto data = pattern(512);
  rig.page_program(1024, data);
  rig.finish();
  EXPECT_EQ(rig.peek(1024, 512), data);
}

TEST(LegalCommand, lock_and_upload_of_lock_bits_show_in_the_block_status) {
  CardRig rig;
  rig.set_attribute(regs::cmr::kWriteProtection, 0);  // lock bits can only be set while they do not count
  rig.command(kSegment, command::kLockBlock);
  rig.command(kSegment, command::kConfirm);
  rig.finish();
  rig.command(0, command::kUploadLockBits);
  rig.command(0, command::kConfirm);
  rig.finish();
  EXPECT_EQ(rig.bsr(kSegment) & both(regs::bsr::kUnlocked), 0);
  EXPECT_EQ(rig.bsr(0) & both(regs::bsr::kUnlocked), both(regs::bsr::kUnlocked));
}

TEST(LegalCommand, every_ready_mode_is_taken) {
  using namespace series2plus;
  for (const std::uint8_t mode :
       {ready_mode::kLevel, ready_mode::kPulseOnWrite, ready_mode::kPulseOnErase, ready_mode::kDisable}) {
    CardRig rig;
    rig.command(0, command::kReadyBusyMode);
    rig.command(0, mode);
    EXPECT_EQ(rig.csr(0), both(0x80)) << int{mode};
    rig.erase(0);
    EXPECT_EQ(rig.core.line_level(rig.now), mode != ready_mode::kLevel) << int{mode};
  }
}

}  // namespace
}  // namespace ftlab::hw::testing
