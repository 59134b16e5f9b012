// Power losses, resets in the middle, suspended erases: what is left half done, and what can be recovered.
#include "tests/device/onenand/onenand_fixture.h"

namespace ftlab::hw::testing {
namespace {

constexpr std::uint16_t kAllLost = regs::ecc::kUncorrectableMask;

class OneNandPowerLoss : public ::testing::Test {
 protected:
  OneNandFixture fixture;

  /// Gives a program or erase and loses power when `share` of its time has passed; powers up, unlocks.
  void lose_power_at(std::uint16_t code, double share) {
    fixture.give(code);
    const Ticks length = fixture.core.next_status_change(fixture.now) - fixture.now;
    fixture.now += Ticks{static_cast<std::int64_t>(static_cast<double>(length.count()) * share)};
    fixture.core.lose_power(fixture.now);
    fixture.now += Ticks{10'000'000};
    fixture.core.restore_power(fixture.now);
    fixture.wait();
    fixture.run(command::kUnlockAll);
  }
  void fill_to(std::uint32_t segment, std::uint32_t last) {
    for (std::uint32_t page = 0; page <= last; ++page) ASSERT_TRUE(fixture.program(segment, page));
  }
};

TEST_F(OneNandPowerLoss, torn_msb_program_spoils_the_paired_lsb_page_until_the_recovery_read) {
  fill_to(3, 7);
  fixture.select(3, 8);  // MSB, partner 2
  fixture.fill(OneNandFixture::pattern(8));
  lose_power_at(command::kProgram, 0.5);
  EXPECT_FALSE(fixture.load(3, 8));
  EXPECT_EQ(fixture.read16(reg::kEccStatus1), kAllLost);
  EXPECT_FALSE(fixture.load(3, 2)) << "paired page";
  EXPECT_EQ(fixture.read16(reg::kEccStatus4), kAllLost);
  EXPECT_NE(fixture.data(), OneNandFixture::pattern(2)) << "the data carries the errors";
  EXPECT_TRUE(fixture.load(3, 2, command::kLsbRecoveryRead));
  EXPECT_EQ(fixture.data(), OneNandFixture::pattern(2));
  EXPECT_EQ(fixture.read16(reg::kEccStatus1), 0);
  EXPECT_TRUE(fixture.load(3, 3)) << "other pages are untouched";
  EXPECT_FALSE(fixture.load(3, 8, command::kLsbRecoveryRead)) << "the page being programmed is gone";
}

TEST_F(OneNandPowerLoss, torn_lsb_program_loses_that_page_alone) {
  fill_to(3, 1);
  fixture.select(3, 2);
  lose_power_at(command::kProgram, 0.7);
  EXPECT_FALSE(fixture.load(3, 2));
  EXPECT_TRUE(fixture.load(3, 0));
  EXPECT_TRUE(fixture.load(3, 1));
}

TEST_F(OneNandPowerLoss, power_loss_before_the_array_is_touched_leaves_the_page_blank) {
  fixture.select(3, 0);
  lose_power_at(command::kProgram, 0.05);
  EXPECT_FALSE(fixture.core.is_programmed(3, 0));
  EXPECT_TRUE(fixture.program(3, 0));
}

TEST_F(OneNandPowerLoss, torn_erase_leaves_noise_until_erased_again) {
  fill_to(3, 1);
  fixture.select(3, 0);
  lose_power_at(command::kErase, 0.5);
  EXPECT_EQ(fixture.core.erase_count(3), 1U) << "the cells were stressed";
  EXPECT_FALSE(fixture.load(3, 0));
  EXPECT_FALSE(fixture.load(3, 100)) << "pages never programmed read as noise too";
  EXPECT_FALSE(fixture.program(3, 5));
  EXPECT_TRUE(fixture.erase(3));
  EXPECT_TRUE(fixture.program(3, 0));
}

TEST_F(OneNandPowerLoss, torn_erase_leaves_a_factory_mark) {
  Overrides part = ideal();
  part[0].second = "5";
  OneNandFixture marked(onenand_part("flexonenand-4gb", part));
  std::uint32_t bad = 1;
  while (bad < 1024 && !marked.core.is_factory_bad(bad)) ++bad;
  ASSERT_LT(bad, 1024U);
  marked.select(bad, 0);
  marked.give(command::kErase);
  marked.now += ticks_from_ns(100'000);
  marked.core.lose_power(marked.now);
  marked.core.restore_power(marked.now);
  marked.wait();
  for (const std::uint32_t page : {0U, 1U}) {
    EXPECT_TRUE(marked.load(bad, page));
    EXPECT_EQ(marked.read16(regs::area::kDataSpare), 0);
  }
}

TEST_F(OneNandPowerLoss, dead_device_answers_nothing) {
  fixture.core.lose_power(fixture.now);
  EXPECT_EQ(fixture.read16(reg::kManufacturerId), 0xFFFF);
  fixture.give(command::kErase);
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), kNever);
  fixture.core.restore_power(fixture.now);
  EXPECT_EQ(fixture.status_word(), status::kOnGo);
  fixture.wait();
  EXPECT_EQ(fixture.int_word(), interrupt::kInt | interrupt::kRead);
  EXPECT_TRUE(fixture.core.locked(3));
}

TEST_F(OneNandPowerLoss, half_done_work_costs_its_share_of_energy) {
  fixture.select(3, 0);
  fixture.give(command::kErase);
  fixture.now += ticks_from_ns(100'000);
  fixture.core.lose_power(fixture.now);
  ASSERT_EQ(fixture.observer.ended.size(), 1U);
  EXPECT_TRUE(fixture.observer.ended[0].failed);
  EXPECT_EQ(fixture.observer.ended[0].busy, ticks_from_ns(100'000));
  EXPECT_EQ(fixture.observer.ended[0].energy, energy_of(fixture.core.spec().power.erase_uw, ticks_from_ns(100'000)));
}

TEST_F(OneNandPowerLoss, boot_page_is_copied_at_power_up) {
  ASSERT_TRUE(fixture.program(0, 0, OneNandFixture::pattern(5)));
  fixture.core.lose_power(fixture.now);
  fixture.core.restore_power(fixture.now);
  fixture.wait();
  const auto boot = fixture.burst(regs::area::kBootRam, regs::area::kBootRamBytes);
  EXPECT_TRUE(std::equal(boot.begin(), boot.end(), OneNandFixture::pattern(5).begin()));
}

TEST(OneNandReset, core_reset_keeps_registers_and_hot_reset_does_not) {
  OneNandFixture fixture;
  fixture.configure(0x40E0);
  fixture.select(7, 1);
  EXPECT_TRUE(fixture.run(command::kCoreReset));
  EXPECT_EQ(fixture.read16(reg::kSystemConfig1), 0x40E0);
  EXPECT_EQ(fixture.read16(reg::kStartAddress1), 7);
  EXPECT_TRUE(fixture.run(command::kHotReset));
  EXPECT_EQ(fixture.read16(reg::kSystemConfig1), regs::config::kDefault);
  EXPECT_EQ(fixture.read16(reg::kStartAddress1), 0);
  EXPECT_FALSE(fixture.core.locked(7)) << "protection outlives a hot reset";
}

TEST(OneNandReset, core_reset_during_program_leaves_it_half_done) {
  OneNandFixture fixture;
  fixture.select(7, 0);
  fixture.give(command::kProgram);
  fixture.now += ticks_from_ns(100'000);
  fixture.give(command::kCoreReset);
  EXPECT_EQ(fixture.status_word(), status::kOnGo | status::kResetting);
  fixture.wait();
  EXPECT_FALSE(fixture.load(7, 0));
}

TEST(OneNandReset, warm_reset_locks_everything) {
  OneNandFixture fixture;
  fixture.core.reset_pin(fixture.now, true);
  EXPECT_EQ(fixture.read16(reg::kManufacturerId), 0xFFFF) << "held in reset";
  fixture.core.reset_pin(fixture.now, false);
  fixture.wait();
  EXPECT_TRUE(fixture.core.locked(7));
  EXPECT_EQ(fixture.int_word(), interrupt::kInt | interrupt::kReset) << "a cold one reports the load of the BootRAM";
}

TEST(OneNandReset, supply_that_comes_up_while_the_pin_is_low_is_a_cold_one) {
  OneNandFixture fixture;
  fixture.core.lose_power(fixture.now);
  fixture.core.reset_pin(fixture.now, true);
  fixture.core.restore_power(fixture.now);
  fixture.core.reset_pin(fixture.now, false);
  fixture.wait();
  EXPECT_EQ(fixture.int_word(), interrupt::kInt | interrupt::kRead);
  fixture.core.reset_pin(fixture.now, true);
  fixture.core.reset_pin(fixture.now, false);
  fixture.wait();
  EXPECT_EQ(fixture.int_word(), interrupt::kInt | interrupt::kReset);
}

class OneNandSuspend : public ::testing::Test {
 protected:
  OneNandFixture fixture;
  const OneNandTiming& timing = fixture.core.spec().timing;

  void suspend_after(Ticks worked) {
    fixture.program(4, 0, OneNandFixture::pattern(4));
    fixture.select(3, 0);
    fixture.give(command::kErase);
    fixture.now += worked;
    fixture.give(command::kEraseSuspend);
    EXPECT_EQ(fixture.core.next_status_change(fixture.now), fixture.now + timing.erase_suspend);
    fixture.wait();
  }
};

TEST_F(OneNandSuspend, other_segments_can_be_loaded_and_programmed) {
  suspend_after(timing.erase_mlc / 4);
  EXPECT_EQ(fixture.status_word(), status::kSuspended);
  EXPECT_TRUE(fixture.load(4, 0));
  EXPECT_EQ(fixture.data(), OneNandFixture::pattern(4));
  EXPECT_TRUE(fixture.program(4, 1));
  EXPECT_FALSE(fixture.load(3, 0)) << "the suspended segment";
  EXPECT_FALSE(fixture.erase(5)) << "no second erase";
  EXPECT_TRUE(fixture.run(command::kEraseResume));
  EXPECT_EQ(fixture.int_word(), interrupt::kInt | interrupt::kErase);
  EXPECT_EQ(fixture.core.erase_count(3), 1U);
  EXPECT_EQ(fixture.observer.ended.back().busy, timing.erase_mlc) << "suspended time is no work";
}

TEST_F(OneNandSuspend, resume_continues_where_it_stopped) {
  fixture.select(3, 0);
  fixture.give(command::kErase);
  const Ticks begin = fixture.now;
  fixture.now += timing.erase_mlc / 2;
  fixture.give(command::kEraseSuspend);
  const Ticks stopped = fixture.now + timing.erase_suspend;
  fixture.wait();
  fixture.now += Ticks{50'000'000};
  fixture.give(command::kEraseResume);
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), fixture.now + timing.erase_mlc - (stopped - begin));
}

TEST_F(OneNandSuspend, too_late_suspend_lets_the_erase_end) {
  fixture.select(3, 0);
  fixture.give(command::kErase);
  const Ticks end = fixture.now + timing.erase_mlc;
  fixture.now = end - timing.erase_suspend / 2;
  fixture.give(command::kEraseSuspend);
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), end);
  fixture.wait();
  EXPECT_EQ(fixture.status_word(), 0);
}

TEST_F(OneNandSuspend, nothing_to_suspend_or_resume_is_an_error) {
  EXPECT_FALSE(fixture.run(command::kEraseSuspend));
  EXPECT_FALSE(fixture.run(command::kEraseResume));
}

TEST_F(OneNandSuspend, power_loss_while_suspended_leaves_noise) {
  suspend_after(timing.erase_mlc / 4);
  fixture.core.lose_power(fixture.now);
  EXPECT_EQ(fixture.core.erase_count(3), 1U);
  EXPECT_TRUE(fixture.observer.ended.back().failed);
  EXPECT_LT(fixture.observer.ended.back().busy, timing.erase_mlc);
  fixture.core.restore_power(fixture.now);
  fixture.wait();
  EXPECT_FALSE(fixture.load(3, 0));
}

}  // namespace
}  // namespace ftlab::hw::testing
