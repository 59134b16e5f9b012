// Lock bits: set, uploaded, honoured while BLKEN is on, cleared by an erase while it is off.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

class LockBits : public ::testing::Test {
 protected:
  void set_locking(bool on) {
    fixture.set_attribute(regs::cmr::kWriteProtection, on ? regs::cmr::kProtectBlockLockEnable : 0);
  }
  void confirmed(std::uint32_t address, std::uint8_t code) {
    fixture.command(address, code);
    fixture.command(address, command::kConfirm);
  }
  void lock_segment_0() {
    set_locking(false);
    confirmed(0, command::kLockBlock);
    fixture.finish();
    set_locking(true);
  }
  void expect_refused_as_locked() {
    EXPECT_TRUE(fixture.core.line_level(fixture.now));
    EXPECT_EQ(fixture.csr(0), regs::doubled(regs::csr::kReady | regs::csr::kEraseError | regs::csr::kWriteError));
    EXPECT_EQ(fixture.gsr(0) & 0x2020, 0x2020);
    EXPECT_EQ(fixture.bsr(0) & 0x2020, 0x2020);
  }
  CardFixture fixture;
};

TEST_F(LockBits, block_status_reads_locked_until_uploaded) {
  EXPECT_EQ(fixture.bsr(0), 0x8080);
  confirmed(0, command::kUploadLockBits);
  fixture.finish();
  EXPECT_EQ(fixture.bsr(0), 0xC0C0);
  lock_segment_0();
  EXPECT_EQ(fixture.bsr(0), 0xC0C0) << "shown only after the next upload";
  confirmed(0, command::kUploadLockBits);
  fixture.finish();
  EXPECT_EQ(fixture.bsr(0), 0x8080);
  EXPECT_EQ(fixture.bsr(CardFixture::kSegment), 0xC0C0);
}

TEST_F(LockBits, block_status_reads_unlocked_before_an_upload_while_lock_bits_do_not_count) {
  lock_segment_0();
  set_locking(false);
  EXPECT_EQ(fixture.bsr(0), 0xC0C0) << "locked, but the bit does not count";
  set_locking(true);
  EXPECT_EQ(fixture.bsr(0), 0x8080);
  EXPECT_EQ(fixture.bsr(CardFixture::kSegment), 0x8080);
  set_locking(false);
  confirmed(0, command::kUploadLockBits);
  fixture.finish();
  EXPECT_EQ(fixture.bsr(0), 0x8080) << "the true bit from now on";
  EXPECT_EQ(fixture.bsr(CardFixture::kSegment), 0xC0C0);
}

TEST_F(LockBits, erase_with_locking_disabled_shows_the_status_of_a_real_card) {
  set_locking(false);
  fixture.erase(0);
  EXPECT_EQ(fixture.csr(0), 0x0000);
  EXPECT_EQ(fixture.bsr(0), 0x4040);
  EXPECT_EQ(fixture.gsr(0), 0x0606);
}

TEST_F(LockBits, components_that_parted_each_show_their_own_upload) {
  set_locking(true);
  fixture.write8(1, command::kUploadLockBits);
  fixture.write8(1, command::kConfirm);
  fixture.finish();
  EXPECT_EQ(fixture.bsr(0), 0xC080) << "odd component uploaded";
  fixture.command(0, command::kReadArray);
  EXPECT_EQ(fixture.bsr(0), 0xC080);
}

TEST_F(LockBits, reset_forgets_the_upload_but_not_the_lock) {
  lock_segment_0();
  confirmed(0, command::kUploadLockBits);
  fixture.finish();
  fixture.core.reset_pin(fixture.now, true);
  fixture.core.reset_pin(fixture.now, false);
  fixture.now += fixture.core.spec().timing.wake;
  EXPECT_EQ(fixture.bsr(CardFixture::kSegment), 0x8080);
  EXPECT_TRUE(fixture.core.locked(0));
}

TEST_F(LockBits, locked_segment_refuses_program_and_erase_while_locking_is_enabled) {
  lock_segment_0();
  fixture.poke16(0, 0x1234);
  fixture.program_word(0, 0);
  expect_refused_as_locked();
  fixture.command(0, command::kClearStatus);
  fixture.page_program(0, pattern(512));
  expect_refused_as_locked();
  fixture.command(0, command::kClearStatus);
  fixture.erase(0);
  expect_refused_as_locked();
  EXPECT_EQ(fixture.peek16(0), 0x1234);
}

TEST_F(LockBits, disabled_locking_lets_writes_through) {
  lock_segment_0();
  set_locking(false);
  fixture.program_word(0, 0x0F0F);
  fixture.finish();
  EXPECT_EQ(fixture.peek16(0), 0x0F0F);
  EXPECT_TRUE(fixture.core.locked(0));
}

TEST_F(LockBits, erase_with_locking_disabled_unlocks) {
  lock_segment_0();
  set_locking(false);
  fixture.erase(0);
  fixture.finish();
  EXPECT_FALSE(fixture.core.locked(0));
}

TEST_F(LockBits, cannot_be_set_while_locking_is_enabled) {
  confirmed(0, command::kLockBlock);
  expect_refused_as_locked();
  EXPECT_FALSE(fixture.core.locked(0));
}

TEST_F(LockBits, erase_all_leaves_locked_segments_alone_and_takes_less_time) {
  lock_segment_0();
  fixture.poke16(0, 0);
  fixture.poke16(CardFixture::kSegment, 0);
  confirmed(0, command::kEraseAllUnlocked);
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now) - fixture.now, fixture.core.spec().timing.erase * 31);
  fixture.finish();
  EXPECT_EQ(fixture.peek16(0), 0);
  EXPECT_EQ(fixture.peek16(CardFixture::kSegment), 0xFFFF);
  EXPECT_EQ(fixture.core.erase_count(0), 0U);
}

TEST_F(LockBits, half_locked_segment_is_refused_by_one_component_only) {
  set_locking(false);
  fixture.write8(1, command::kLockBlock);
  fixture.write8(1, command::kConfirm);
  fixture.finish();
  set_locking(true);
  fixture.program_word(0, 0x0000);
  fixture.finish();
  EXPECT_EQ(fixture.peek16(0), 0xFF00);
  EXPECT_EQ(fixture.csr(0), 0xB080);
}

}  // namespace
}  // namespace ftlab::hw::testing
