// Runs of pages: cache program, superload, copy-back.
#include "tests/device/onenand/onenand_fixture.h"

namespace ftlab::hw::testing {
namespace {

constexpr std::uint16_t kSync = 0xC0C0;

TEST(OneNandCacheProgram, data_ram_is_free_after_the_transfer_and_the_array_goes_on) {
  OneNandRig rig;
  const OneNandTiming& timing = rig.core.spec().timing;
  rig.select(5, 0);
  rig.fill(OneNandRig::pattern(0));
  rig.give(command::kCacheProgram);
  const Ticks begin = rig.now;
  EXPECT_EQ(rig.core.next_status_change(rig.now), begin + timing.transfer);
  rig.wait();
  EXPECT_NE(rig.status_word() & status::kOnGo, 0) << "the array is still busy";
  rig.fill(OneNandRig::pattern(1));
  rig.select(5, 1);
  rig.give(command::kProgram);  // last of the run
  rig.wait();
  EXPECT_GE(rig.now, begin + timing.program[1] * 2) << "pages follow each other in the array";
  EXPECT_LT(rig.now, begin + timing.program[1] * 2 + ticks_from_ns(2'000)) << "without a gap for the bus";
  EXPECT_EQ(rig.status_word(), 0);
  EXPECT_EQ(rig.peek(5, 0), OneNandRig::pattern(0));
  EXPECT_EQ(rig.peek(5, 1), OneNandRig::pattern(1));
}

TEST(OneNandCacheProgram, waiting_page_holds_data_ram_until_the_array_is_free) {
  OneNandRig rig;
  const OneNandTiming& timing = rig.core.spec().timing;
  rig.select(5, 0);
  rig.give(command::kCacheProgram);
  const Ticks begin = rig.now;
  rig.wait();
  rig.select(5, 1);
  rig.give(command::kCacheProgram);
  rig.wait();
  EXPECT_GE(rig.now, begin + timing.program[1] + timing.transfer);
  EXPECT_LT(rig.now, begin + timing.program[1] + timing.transfer + ticks_from_ns(2'000));
}

TEST(OneNandCacheProgram, other_commands_wait_for_the_array) {
  OneNandRig rig;
  rig.select(5, 0);
  rig.give(command::kCacheProgram);
  rig.wait();
  rig.select(6, 0);
  rig.give(command::kErase);
  rig.now += Ticks{100'000'000};
  EXPECT_EQ(rig.core.erase_count(6), 0U);
  EXPECT_TRUE(rig.erase(6)) << "idle again";
}

TEST(OneNandCacheProgram, wrong_order_inside_a_run_is_refused) {
  OneNandRig rig;
  rig.select(5, 4);
  rig.give(command::kCacheProgram);
  rig.wait();
  EXPECT_FALSE(rig.program(5, 4, OneNandRig::pattern(1), command::kCacheProgram));
}

TEST(OneNandCacheProgram, locked_segment_makes_the_part_reset_itself) {
  OneNandRig rig;
  rig.write16(reg::kStartBlock, 5);
  rig.run(command::kLock);
  rig.select(5, 0);
  rig.give(command::kCacheProgram);
  rig.wait();
  EXPECT_EQ(rig.int_word(), interrupt::kInt | interrupt::kReset);
}

TEST(OneNandCacheProgram, failure_of_an_earlier_page_is_told_at_the_next) {
  auto part = onenand_part("flexonenand-4gb", ideal());
  OneNandRig rig(part);
  std::uint32_t worn = 1;  // a segment that shows its end in a program
  for (;; ++worn) {
    ASSERT_LT(worn, 100U);
    rig.core.set_erase_count(worn, part.endurance.rated_mlc);
    if (!rig.program(worn, 0)) break;
  }
  rig.select(worn, 1);
  rig.give(command::kCacheProgram);
  rig.wait();
  EXPECT_FALSE(rig.failed()) << "still in the array";
  rig.select(900, 0);
  rig.give(command::kProgram);
  rig.wait();
  EXPECT_EQ(rig.status_word() & (status::kError | status::kPreviousCacheFail | status::kCurrentCacheFail),
            status::kError | status::kPreviousCacheFail);
}

TEST(OneNandCacheProgram, refused_last_page_ends_the_run) {
  OneNandRig rig;
  rig.select(0, 62);  // an SLC segment has 64 pages
  rig.give(command::kCacheProgram);
  rig.wait();
  rig.select(0, 63);
  rig.give(command::kCacheProgram);
  rig.wait();
  rig.select(0, 64);
  EXPECT_FALSE(rig.run(command::kProgram));
  rig.now += ticks_from_ns(1e6);
  EXPECT_EQ(rig.status_word(), status::kError | status::kProgram) << "stays until the next command";
  EXPECT_TRUE(rig.program(5, 0)) << "the next command";
  EXPECT_EQ(rig.status_word(), 0);
  EXPECT_TRUE(rig.core.is_programmed(0, 63));
}

TEST(OneNandCacheProgram, refused_last_page_ends_the_run_when_the_array_is_idle_too) {
  OneNandRig rig;
  rig.select(0, 63);
  rig.give(command::kCacheProgram);
  rig.now += ticks_from_ns(1e6);
  rig.select(0, 64);
  EXPECT_FALSE(rig.run(command::kProgram));
  EXPECT_TRUE(rig.program(5, 0));
}

class OneNandSuperload : public ::testing::Test {
 protected:
  OneNandRig rig;
  const OneNandTiming& timing = rig.core.spec().timing;

  void SetUp() override {
    for (std::uint32_t page = 0; page < 4; ++page) ASSERT_TRUE(rig.program(5, page));
    rig.configure(kSync);
  }
};

TEST_F(OneNandSuperload, next_page_comes_when_the_spare_area_was_read) {
  ASSERT_TRUE(rig.load(5, 0));
  rig.select(5, 1);
  rig.give(command::kSuperload);
  const Ticks begin = rig.now;
  EXPECT_EQ(rig.core.next_status_change(rig.now), kNever) << "waits for the host";
  EXPECT_EQ(rig.data(), OneNandRig::pattern(0)) << "the page before is still there";
  rig.spare();
  const Ticks read_out = rig.now;
  const Ticks sensed = begin + timing.load[1] - timing.transfer;
  EXPECT_EQ(rig.core.next_status_change(rig.now), std::max(read_out, sensed) + timing.transfer);
  rig.wait();
  EXPECT_EQ(rig.int_word(), interrupt::kInt | interrupt::kRead);
  EXPECT_EQ(rig.data(), OneNandRig::pattern(1));
  EXPECT_EQ(rig.observer.ended.back().busy, timing.load[1]) << "waiting for the host is no work";
}

TEST_F(OneNandSuperload, transfer_waits_for_the_array_when_the_host_is_faster) {
  ASSERT_TRUE(rig.load(5, 0));
  rig.select(5, 1);
  rig.give(command::kSuperload);
  const Ticks begin = rig.now;
  rig.burst(0x1009C, 4);
  EXPECT_EQ(rig.core.next_status_change(rig.now), begin + timing.load[1]);
}

TEST_F(OneNandSuperload, given_up_it_has_worked_no_longer_than_the_array_senses) {
  ASSERT_TRUE(rig.load(5, 0));
  rig.select(5, 1);
  rig.give(command::kSuperload);
  rig.now += std::chrono::seconds{10};
  rig.give(command::kCoreReset);
  EXPECT_TRUE(rig.observer.ended.back().failed);
  EXPECT_EQ(rig.observer.ended.back().busy, timing.load[1] - timing.transfer);
  EXPECT_EQ(rig.observer.ended.back().energy,
            energy_of(rig.core.spec().power.load_uw, timing.load[1] - timing.transfer));
}

TEST_F(OneNandSuperload, given_up_early_it_has_worked_until_then) {
  ASSERT_TRUE(rig.load(5, 0));
  rig.select(5, 1);
  rig.give(command::kSuperload);
  rig.now += timing.transfer / 5;
  const Ticks begin = rig.observer.started.back().start;
  rig.core.lose_power(rig.now);
  EXPECT_EQ(rig.observer.ended.back().busy, rig.now - begin);
}

TEST_F(OneNandSuperload, needs_sync_mode_and_a_page_before) {
  rig.select(5, 1);
  EXPECT_FALSE(rig.run(command::kSuperload)) << "nothing loaded since the program";
  ASSERT_TRUE(rig.load(5, 0));
  rig.configure(regs::config::kDefault);
  rig.select(5, 1);
  EXPECT_FALSE(rig.run(command::kSuperload));
}

TEST(OneNandCopyBack, loaded_page_can_be_changed_and_programmed_elsewhere) {
  OneNandRig rig;
  ASSERT_TRUE(rig.program(5, 0, OneNandRig::pattern(1)));
  ASSERT_TRUE(rig.load(5, 0));
  rig.write16(regs::area::kDataRam + 100, 0xBEEF);
  rig.select(6, 0);
  EXPECT_TRUE(rig.run(command::kProgram));
  auto expected = OneNandRig::pattern(1);
  expected[100] = std::byte{0xEF};
  expected[101] = std::byte{0xBE};
  EXPECT_EQ(rig.peek(6, 0), expected);
}

}  // namespace
}  // namespace ftlab::hw::testing
