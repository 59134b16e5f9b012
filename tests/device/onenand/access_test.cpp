// Protection, the one-time programmable segment, and the partition information that moves the SLC/MLC boundary.
#include "tests/device/onenand/onenand_fixture.h"

namespace ftlab::hw::testing {
namespace {

namespace protect = regs::protect;

TEST(OneNandLock, locked_segment_refuses_program_and_erase) {
  OneNandFixture fixture;
  fixture.write16(reg::kStartBlock, 5);
  EXPECT_TRUE(fixture.run(command::kLock));
  fixture.select(5, 0);
  EXPECT_EQ(fixture.read16(reg::kWriteProtect), protect::kLocked);
  EXPECT_FALSE(fixture.program(5, 0));
  EXPECT_EQ(fixture.status_word(), status::kError | status::kProgram) << "the lock bit itself stays 0 on this family";
  EXPECT_FALSE(fixture.erase(5));
  EXPECT_EQ(fixture.core.erase_count(5), 0U);
  EXPECT_TRUE(fixture.load(5, 0)) << "reading is allowed";
  EXPECT_TRUE(fixture.program(6, 0));
  fixture.write16(reg::kStartBlock, 5);
  EXPECT_TRUE(fixture.run(command::kUnlock));
  fixture.select(5, 0);
  EXPECT_EQ(fixture.read16(reg::kWriteProtect), protect::kUnlocked);
  EXPECT_TRUE(fixture.program(5, 0));
}

TEST(OneNandLock, lock_tight_needs_a_lock_and_only_a_cold_or_warm_reset_leaves_it) {
  OneNandFixture fixture;
  fixture.write16(reg::kStartBlock, 5);
  EXPECT_FALSE(fixture.run(command::kLockTight)) << "not locked yet";
  EXPECT_TRUE(fixture.run(command::kLock));
  EXPECT_TRUE(fixture.run(command::kLockTight));
  EXPECT_FALSE(fixture.run(command::kUnlock));
  EXPECT_TRUE(fixture.run(command::kUnlockAll));
  fixture.select(5, 0);
  EXPECT_EQ(fixture.read16(reg::kWriteProtect), protect::kLockedTight);
  EXPECT_TRUE(fixture.run(command::kHotReset));
  fixture.select(5, 0);
  EXPECT_EQ(fixture.read16(reg::kWriteProtect), protect::kLockedTight);
  fixture.core.reset_pin(fixture.now, true);
  fixture.core.reset_pin(fixture.now, false);
  fixture.wait();
  EXPECT_TRUE(fixture.run(command::kUnlockAll));
  fixture.select(5, 0);
  EXPECT_EQ(fixture.read16(reg::kWriteProtect), protect::kUnlocked);
}

TEST(OneNandLock, bits_above_the_segments_of_a_die_do_not_count) {
  OneNandFixture fixture;
  fixture.write16(reg::kStartBlock, 1024 + 3);
  EXPECT_TRUE(fixture.run(command::kLock));
  for (std::uint32_t segment = 0; segment < 1024; ++segment) EXPECT_EQ(fixture.core.locked(segment), segment == 3);
}

class OneNandOtp : public ::testing::Test {
 protected:
  OneNandFixture fixture;

  void enter() { ASSERT_TRUE(fixture.run(command::kOtpAccess)); }
  void leave() { ASSERT_TRUE(fixture.run(command::kCoreReset)); }
  /// The sheet's sequence: read the lock page, clear the bits, program it again.
  void lock(std::uint16_t value) {
    enter();
    fixture.load(0, regs::otp::kLockPage);
    const std::uint32_t word = regs::area::kDataRam1;
    fixture.write16(word, static_cast<std::uint16_t>(fixture.read16(word) & (0xFF00 | value)));
    fixture.select(0, regs::otp::kLockPage);
    EXPECT_TRUE(fixture.run(command::kProgram));
    leave();
  }
};

TEST_F(OneNandOtp, pages_are_written_once_and_never_erased) {
  enter();
  EXPECT_TRUE(fixture.program(0, 10, OneNandFixture::pattern(1)));
  EXPECT_TRUE(fixture.program(0, 3, OneNandFixture::pattern(2))) << "any order";
  EXPECT_FALSE(fixture.program(0, 10, OneNandFixture::pattern(3)));
  EXPECT_FALSE(fixture.erase(0));
  EXPECT_TRUE(fixture.load(0, 10));
  EXPECT_EQ(fixture.data(), OneNandFixture::pattern(1));
  leave();
  EXPECT_TRUE(fixture.load(0, 10));
  EXPECT_NE(fixture.data(), OneNandFixture::pattern(1)) << "the array again";
  EXPECT_FALSE(fixture.core.is_programmed(0, 10));
}

TEST_F(OneNandOtp, unique_identifier_depends_on_the_seed) {
  enter();
  EXPECT_TRUE(fixture.load(0, regs::otp::kUniqueIdPage));
  const auto id = fixture.data();
  OneNandFixture other(onenand_part("flexonenand-4gb", ideal()), 2);
  other.run(command::kOtpAccess);
  other.load(0, regs::otp::kUniqueIdPage);
  EXPECT_NE(other.data(), id);
}

TEST_F(OneNandOtp, lock_word_closes_it_for_good) {
  lock(regs::otp::kLockOtp);
  EXPECT_EQ(fixture.status_word() & (status::kOtpLocked | status::kFirstBlockLocked), status::kOtpLocked);
  enter();
  EXPECT_FALSE(fixture.program(0, 5));
  leave();
  EXPECT_TRUE(fixture.program(0, 5)) << "segment 0 is not locked";
}

TEST_F(OneNandOtp, first_segment_can_be_locked_with_it_or_alone) {
  lock(regs::otp::kLockFirstBlock);
  EXPECT_EQ(fixture.status_word() & (status::kOtpLocked | status::kFirstBlockLocked), status::kFirstBlockLocked);
  EXPECT_FALSE(fixture.program(0, 5));
  EXPECT_FALSE(fixture.erase(0));
  EXPECT_TRUE(fixture.program(1, 5));
  lock(regs::otp::kLockOtp);  // clears the other bits too
  EXPECT_EQ(fixture.status_word() & (status::kOtpLocked | status::kFirstBlockLocked),
            status::kOtpLocked | status::kFirstBlockLocked);
}

class OneNandPartition : public ::testing::Test {
 protected:
  OneNandFixture fixture;

  void enter() {
    fixture.ecc_off();
    ASSERT_TRUE(fixture.run(command::kPartitionAccess));
  }
  void leave() {
    ASSERT_TRUE(fixture.run(command::kCoreReset));
    fixture.ecc_on();
  }
  std::uint16_t stored() {
    EXPECT_TRUE(fixture.load(0, 0));
    return fixture.read16(regs::area::kDataRam);
  }
  bool set_word(std::uint16_t word) {
    if (!fixture.erase(0)) return false;
    OneNandFixture::Bytes page(regs::kPageBytes, std::byte{0xFF});
    page[0] = static_cast<std::byte>(word & 0xFF);
    page[1] = static_cast<std::byte>(word >> 8);
    return fixture.program(0, 0, page);
  }
};

TEST_F(OneNandPartition, factory_word_makes_segment_0_slc) {
  enter();
  EXPECT_EQ(stored(), regs::partition::kFactory);
  EXPECT_EQ(fixture.core.boundary(0), 0U);
}

TEST_F(OneNandPartition, boundary_moves_at_the_update) {
  enter();
  EXPECT_TRUE(set_word(0xFC00 | 9));
  EXPECT_EQ(fixture.core.boundary(0), 0U) << "not in force yet";
  EXPECT_TRUE(fixture.run(command::kPartitionUpdate));
  EXPECT_EQ(fixture.int_word(), interrupt::kInt) << "an update is no load";
  leave();
  EXPECT_EQ(fixture.core.boundary(0), 9U);
  EXPECT_TRUE(fixture.core.is_slc(9));
  EXPECT_FALSE(fixture.core.is_slc(10));
  EXPECT_FALSE(fixture.program(9, 64)) << "64 pages now";
}

TEST_F(OneNandPartition, boundary_moves_at_power_up) {
  enter();
  EXPECT_TRUE(set_word(0xFC00 | 3));
  leave();
  EXPECT_EQ(fixture.core.boundary(0), 0U);
  fixture.core.lose_power(fixture.now);
  fixture.core.restore_power(fixture.now);
  EXPECT_EQ(fixture.core.boundary(0), 3U);
}

TEST_F(OneNandPartition, torn_erase_leaves_the_noise_that_a_load_reads) {
  for (int loss = 0; loss < 3; ++loss) {
    enter();
    fixture.select(0, 0);
    fixture.give(command::kErase);
    fixture.now += ticks_from_ns(100'000);
    fixture.core.lose_power(fixture.now);
    fixture.core.restore_power(fixture.now);
    fixture.wait();
    fixture.run(command::kUnlockAll);
    enter();
    const std::uint16_t word = stored();
    EXPECT_NE(word, regs::partition::kFactory);
    EXPECT_EQ(fixture.core.boundary(0), word & regs::partition::boundary_mask(1024));
    EXPECT_TRUE(set_word(0xFC00 | 2)) << "noise is no lock";
    EXPECT_TRUE(fixture.run(command::kPartitionUpdate));
    EXPECT_EQ(fixture.core.boundary(0), 2U);
    leave();
  }
}

TEST_F(OneNandPartition, segment_that_changed_its_area_is_uncorrectable_until_erased) {
  ASSERT_TRUE(fixture.program(5, 0));
  enter();
  set_word(0xFC00 | 9);
  fixture.run(command::kPartitionUpdate);
  leave();
  EXPECT_FALSE(fixture.load(5, 0));
  EXPECT_TRUE(fixture.erase(5));
  EXPECT_TRUE(fixture.program(5, 0));
  EXPECT_TRUE(fixture.load(5, 0));
}

TEST_F(OneNandPartition, locked_word_refuses_every_change) {
  enter();
  EXPECT_TRUE(set_word(0x3C00 | 4));
  EXPECT_FALSE(set_word(0xFC00));
  EXPECT_EQ(fixture.status_word() & status::kError, status::kError);
  EXPECT_EQ(stored(), 0x3C04);
}

TEST_F(OneNandPartition, its_segment_wears_out_on_its_own_rating) {
  enter();
  const std::uint32_t rated = fixture.core.spec().endurance.rated_partition;
  std::uint32_t good = 0;
  while (good < rated + 2 && set_word(static_cast<std::uint16_t>(0xFC00 | good % 8))) ++good;
  EXPECT_EQ(good, rated);
}

TEST_F(OneNandPartition, array_is_not_reached_while_it_is_open) {
  enter();
  EXPECT_TRUE(fixture.erase(0));
  EXPECT_EQ(fixture.core.erase_count(0), 0U);
}

}  // namespace
}  // namespace ftlab::hw::testing
