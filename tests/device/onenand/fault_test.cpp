// Power cuts, resets in the middle, suspended erases: what is left half done, and what can be recovered.
#include "tests/device/onenand/onenand_fixture.h"

namespace ftlab::hw::testing {
namespace {

constexpr std::uint16_t kAllLost = regs::ecc::kUncorrectableMask;

class OneNandCut : public ::testing::Test {
 protected:
  OneNandRig rig;

  /// Gives a program or erase and cuts the supply when `share` of its time has passed; powers up, unlocks.
  void cut(std::uint16_t code, double share) {
    rig.give(code);
    const Ticks length = rig.core.next_status_change(rig.now) - rig.now;
    rig.now += Ticks{static_cast<std::int64_t>(static_cast<double>(length.count()) * share)};
    rig.core.lose_power(rig.now);
    rig.now += Ticks{10'000'000};
    rig.core.restore_power(rig.now);
    rig.wait();
    rig.run(command::kUnlockAll);
  }
  void fill_to(std::uint32_t segment, std::uint32_t last) {
    for (std::uint32_t page = 0; page <= last; ++page) ASSERT_TRUE(rig.program(segment, page));
  }
};

TEST_F(OneNandCut, msb_program_cut_spoils_the_paired_lsb_page_until_the_recovery_read) {
  fill_to(3, 7);
  rig.select(3, 8);  // MSB, partner 2
  rig.fill(OneNandRig::pattern(8));
  cut(command::kProgram, 0.5);
  EXPECT_FALSE(rig.load(3, 8));
  EXPECT_EQ(rig.read16(reg::kEccStatus1), kAllLost);
  EXPECT_FALSE(rig.load(3, 2)) << "paired page";
  EXPECT_EQ(rig.read16(reg::kEccStatus4), kAllLost);
  EXPECT_NE(rig.data(), OneNandRig::pattern(2)) << "the data carries the errors";
  EXPECT_TRUE(rig.load(3, 2, command::kLsbRecoveryRead));
  EXPECT_EQ(rig.data(), OneNandRig::pattern(2));
  EXPECT_EQ(rig.read16(reg::kEccStatus1), 0);
  EXPECT_TRUE(rig.load(3, 3)) << "other pages are untouched";
  EXPECT_FALSE(rig.load(3, 8, command::kLsbRecoveryRead)) << "the page being programmed is gone";
}

TEST_F(OneNandCut, lsb_program_cut_loses_that_page_alone) {
  fill_to(3, 1);
  rig.select(3, 2);
  cut(command::kProgram, 0.7);
  EXPECT_FALSE(rig.load(3, 2));
  EXPECT_TRUE(rig.load(3, 0));
  EXPECT_TRUE(rig.load(3, 1));
}

TEST_F(OneNandCut, cut_before_the_array_is_touched_leaves_the_page_blank) {
  rig.select(3, 0);
  cut(command::kProgram, 0.05);
  EXPECT_FALSE(rig.core.is_programmed(3, 0));
  EXPECT_TRUE(rig.program(3, 0));
}

TEST_F(OneNandCut, erase_cut_leaves_noise_until_erased_again) {
  fill_to(3, 1);
  rig.select(3, 0);
  cut(command::kErase, 0.5);
  EXPECT_EQ(rig.core.erase_count(3), 1U) << "the cells were stressed";
  EXPECT_FALSE(rig.load(3, 0));
  EXPECT_FALSE(rig.load(3, 100)) << "pages never programmed read as noise too";
  EXPECT_FALSE(rig.program(3, 5));
  EXPECT_TRUE(rig.erase(3));
  EXPECT_TRUE(rig.program(3, 0));
}

TEST_F(OneNandCut, erase_cut_leaves_a_factory_mark) {
  Overrides part = ideal();
  part[0].second = "5";
  OneNandRig marked(onenand_part("flexonenand-4gb", part));
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

TEST_F(OneNandCut, dead_device_answers_nothing) {
  rig.core.lose_power(rig.now);
  EXPECT_EQ(rig.read16(reg::kManufacturerId), 0xFFFF);
  rig.give(command::kErase);
  EXPECT_EQ(rig.core.next_status_change(rig.now), kNever);
  rig.core.restore_power(rig.now);
  EXPECT_EQ(rig.status_word(), status::kOnGo);
  rig.wait();
  EXPECT_EQ(rig.int_word(), interrupt::kInt | interrupt::kRead);
  EXPECT_TRUE(rig.core.locked(3));
}

TEST_F(OneNandCut, half_done_work_costs_its_share_of_energy) {
  rig.select(3, 0);
  rig.give(command::kErase);
  rig.now += ticks_from_ns(100'000);
  rig.core.lose_power(rig.now);
  ASSERT_EQ(rig.observer.ended.size(), 1U);
  EXPECT_TRUE(rig.observer.ended[0].failed);
  EXPECT_EQ(rig.observer.ended[0].busy, ticks_from_ns(100'000));
  EXPECT_EQ(rig.observer.ended[0].energy, energy_of(rig.core.spec().power.erase_uw, ticks_from_ns(100'000)));
}

TEST_F(OneNandCut, boot_page_is_copied_at_power_up) {
  ASSERT_TRUE(rig.program(0, 0, OneNandRig::pattern(5)));
  rig.core.lose_power(rig.now);
  rig.core.restore_power(rig.now);
  rig.wait();
  const auto boot = rig.burst(regs::area::kBootRam, regs::area::kBootRamBytes);
  EXPECT_TRUE(std::equal(boot.begin(), boot.end(), OneNandRig::pattern(5).begin()));
}

TEST(OneNandReset, core_reset_keeps_registers_and_hot_reset_does_not) {
  OneNandRig rig;
  rig.configure(0x40E0);
  rig.select(7, 1);
  EXPECT_TRUE(rig.run(command::kCoreReset));
  EXPECT_EQ(rig.read16(reg::kSystemConfig1), 0x40E0);
  EXPECT_EQ(rig.read16(reg::kStartAddress1), 7);
  EXPECT_TRUE(rig.run(command::kHotReset));
  EXPECT_EQ(rig.read16(reg::kSystemConfig1), regs::config::kDefault);
  EXPECT_EQ(rig.read16(reg::kStartAddress1), 0);
  EXPECT_FALSE(rig.core.locked(7)) << "protection outlives a hot reset";
}

TEST(OneNandReset, core_reset_during_program_leaves_it_half_done) {
  OneNandRig rig;
  rig.select(7, 0);
  rig.give(command::kProgram);
  rig.now += ticks_from_ns(100'000);
  rig.give(command::kCoreReset);
  EXPECT_EQ(rig.status_word(), status::kOnGo | status::kResetting);
  rig.wait();
  EXPECT_FALSE(rig.load(7, 0));
}

TEST(OneNandReset, warm_reset_locks_everything) {
  OneNandRig rig;
  rig.core.reset_pin(rig.now, true);
  EXPECT_EQ(rig.read16(reg::kManufacturerId), 0xFFFF) << "held in reset";
  rig.core.reset_pin(rig.now, false);
  rig.wait();
  EXPECT_TRUE(rig.core.locked(7));
  EXPECT_EQ(rig.int_word(), interrupt::kInt | interrupt::kReset) << "a cold one tells of the load of the BootRAM";
}

TEST(OneNandReset, supply_that_comes_up_while_the_pin_is_low_is_a_cold_one) {
  OneNandRig rig;
  rig.core.lose_power(rig.now);
  rig.core.reset_pin(rig.now, true);
  rig.core.restore_power(rig.now);
  rig.core.reset_pin(rig.now, false);
  rig.wait();
  EXPECT_EQ(rig.int_word(), interrupt::kInt | interrupt::kRead);
  rig.core.reset_pin(rig.now, true);
  rig.core.reset_pin(rig.now, false);
  rig.wait();
  EXPECT_EQ(rig.int_word(), interrupt::kInt | interrupt::kReset);
}

class OneNandSuspend : public ::testing::Test {
 protected:
  OneNandRig rig;
  const OneNandTiming& timing = rig.core.spec().timing;

  void suspend_after(Ticks worked) {
    rig.program(4, 0, OneNandRig::pattern(4));
    rig.select(3, 0);
    rig.give(command::kErase);
    rig.now += worked;
    rig.give(command::kEraseSuspend);
    EXPECT_EQ(rig.core.next_status_change(rig.now), rig.now + timing.erase_suspend);
    rig.wait();
  }
};

TEST_F(OneNandSuspend, other_segments_can_be_loaded_and_programmed) {
  suspend_after(timing.erase_mlc / 4);
  EXPECT_EQ(rig.status_word(), status::kSuspended);
  EXPECT_TRUE(rig.load(4, 0));
  EXPECT_EQ(rig.data(), OneNandRig::pattern(4));
  EXPECT_TRUE(rig.program(4, 1));
  EXPECT_FALSE(rig.load(3, 0)) << "the suspended segment";
  EXPECT_FALSE(rig.erase(5)) << "no second erase";
  EXPECT_TRUE(rig.run(command::kEraseResume));
  EXPECT_EQ(rig.int_word(), interrupt::kInt | interrupt::kErase);
  EXPECT_EQ(rig.core.erase_count(3), 1U);
  EXPECT_EQ(rig.observer.ended.back().busy, timing.erase_mlc) << "suspended time is no work";
}

TEST_F(OneNandSuspend, resume_continues_where_it_stopped) {
  rig.select(3, 0);
  rig.give(command::kErase);
  const Ticks begin = rig.now;
  rig.now += timing.erase_mlc / 2;
  rig.give(command::kEraseSuspend);
  const Ticks stopped = rig.now + timing.erase_suspend;
  rig.wait();
  rig.now += Ticks{50'000'000};
  rig.give(command::kEraseResume);
  EXPECT_EQ(rig.core.next_status_change(rig.now), rig.now + timing.erase_mlc - (stopped - begin));
}

TEST_F(OneNandSuspend, too_late_suspend_lets_the_erase_end) {
  rig.select(3, 0);
  rig.give(command::kErase);
  const Ticks end = rig.now + timing.erase_mlc;
  rig.now = end - timing.erase_suspend / 2;
  rig.give(command::kEraseSuspend);
  EXPECT_EQ(rig.core.next_status_change(rig.now), end);
  rig.wait();
  EXPECT_EQ(rig.status_word(), 0);
}

TEST_F(OneNandSuspend, nothing_to_suspend_or_resume_is_an_error) {
  EXPECT_FALSE(rig.run(command::kEraseSuspend));
  EXPECT_FALSE(rig.run(command::kEraseResume));
}

TEST_F(OneNandSuspend, cut_while_suspended_leaves_noise) {
  suspend_after(timing.erase_mlc / 4);
  rig.core.lose_power(rig.now);
  EXPECT_EQ(rig.core.erase_count(3), 1U);
  EXPECT_TRUE(rig.observer.ended.back().failed);
  EXPECT_LT(rig.observer.ended.back().busy, timing.erase_mlc);
  rig.core.restore_power(rig.now);
  rig.wait();
  EXPECT_FALSE(rig.load(3, 0));
}

}  // namespace
}  // namespace ftlab::hw::testing
