// Runs of pages: cache program, superload, copy-back.
#include "tests/device/onenand/onenand_fixture.h"

namespace ftlab::hw::testing {
namespace {

constexpr std::uint16_t kSync = 0xC0C0;

TEST(OneNandCacheProgram, data_ram_is_free_after_the_transfer_and_the_array_goes_on) {
  OneNandFixture fixture;
  const OneNandTiming& timing = fixture.core.spec().timing;
  fixture.select(5, 0);
  fixture.fill(OneNandFixture::pattern(0));
  fixture.give(command::kCacheProgram);
  const Ticks begin = fixture.now;
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), begin + timing.transfer);
  fixture.wait();
  EXPECT_NE(fixture.status_word() & status::kOnGo, 0) << "the array is still busy";
  fixture.fill(OneNandFixture::pattern(1));
  fixture.select(5, 1);
  fixture.give(command::kProgram);  // last of the run
  fixture.wait();
  EXPECT_GE(fixture.now, begin + timing.program[1] * 2) << "pages follow each other in the array";
  EXPECT_LT(fixture.now, begin + timing.program[1] * 2 + ticks_from_ns(2'000)) << "without a gap for the bus";
  EXPECT_EQ(fixture.status_word(), 0);
  EXPECT_EQ(fixture.peek(5, 0), OneNandFixture::pattern(0));
  EXPECT_EQ(fixture.peek(5, 1), OneNandFixture::pattern(1));
}

TEST(OneNandCacheProgram, waiting_page_holds_data_ram_until_the_array_is_free) {
  OneNandFixture fixture;
  const OneNandTiming& timing = fixture.core.spec().timing;
  fixture.select(5, 0);
  fixture.give(command::kCacheProgram);
  const Ticks begin = fixture.now;
  fixture.wait();
  fixture.select(5, 1);
  fixture.give(command::kCacheProgram);
  fixture.wait();
  EXPECT_GE(fixture.now, begin + timing.program[1] + timing.transfer);
  EXPECT_LT(fixture.now, begin + timing.program[1] + timing.transfer + ticks_from_ns(2'000));
}

TEST(OneNandCacheProgram, other_commands_wait_for_the_array) {
  OneNandFixture fixture;
  fixture.select(5, 0);
  fixture.give(command::kCacheProgram);
  fixture.wait();
  fixture.select(6, 0);
  fixture.give(command::kErase);
  fixture.now += Ticks{100'000'000};
  EXPECT_EQ(fixture.core.erase_count(6), 0U);
  EXPECT_TRUE(fixture.erase(6)) << "idle again";
}

TEST(OneNandCacheProgram, wrong_order_inside_a_run_is_refused) {
  OneNandFixture fixture;
  fixture.select(5, 4);
  fixture.give(command::kCacheProgram);
  fixture.wait();
  EXPECT_FALSE(fixture.program(5, 4, OneNandFixture::pattern(1), command::kCacheProgram));
}

TEST(OneNandCacheProgram, locked_segment_makes_the_part_reset_itself) {
  OneNandFixture fixture;
  fixture.write16(reg::kStartBlock, 5);
  fixture.run(command::kLock);
  fixture.select(5, 0);
  fixture.give(command::kCacheProgram);
  fixture.wait();
  EXPECT_EQ(fixture.int_word(), interrupt::kInt | interrupt::kReset);
}

TEST(OneNandCacheProgram, failure_of_an_earlier_page_is_reported_at_the_next) {
  auto part = onenand_part("flexonenand-4gb", ideal());
  OneNandFixture fixture(part);
  std::uint32_t worn = 1;  // a segment that shows its end in a program
  for (;; ++worn) {
    ASSERT_LT(worn, 100U);
    fixture.core.set_erase_count(worn, part.endurance.rated_mlc);
    if (!fixture.program(worn, 0)) break;
  }
  fixture.select(worn, 1);
  fixture.give(command::kCacheProgram);
  fixture.wait();
  EXPECT_FALSE(fixture.failed()) << "still in the array";
  fixture.select(900, 0);
  fixture.give(command::kProgram);
  fixture.wait();
  EXPECT_EQ(fixture.status_word() & (status::kError | status::kPreviousCacheFail | status::kCurrentCacheFail),
            status::kError | status::kPreviousCacheFail);
}

TEST(OneNandCacheProgram, refused_last_page_ends_the_run) {
  OneNandFixture fixture;
  fixture.select(0, 62);  // an SLC segment has 64 pages
  fixture.give(command::kCacheProgram);
  fixture.wait();
  fixture.select(0, 63);
  fixture.give(command::kCacheProgram);
  fixture.wait();
  fixture.select(0, 64);
  EXPECT_FALSE(fixture.run(command::kProgram));
  fixture.now += ticks_from_ns(1e6);
  EXPECT_EQ(fixture.status_word(), status::kError | status::kProgram) << "stays until the next command";
  EXPECT_TRUE(fixture.program(5, 0)) << "the next command";
  EXPECT_EQ(fixture.status_word(), 0);
  EXPECT_TRUE(fixture.core.is_programmed(0, 63));
}

TEST(OneNandCacheProgram, refused_last_page_ends_the_run_when_the_array_is_idle_too) {
  OneNandFixture fixture;
  fixture.select(0, 63);
  fixture.give(command::kCacheProgram);
  fixture.now += ticks_from_ns(1e6);
  fixture.select(0, 64);
  EXPECT_FALSE(fixture.run(command::kProgram));
  EXPECT_TRUE(fixture.program(5, 0));
}

class OneNandSuperload : public ::testing::Test {
 protected:
  OneNandFixture fixture;
  const OneNandTiming& timing = fixture.core.spec().timing;

  void SetUp() override {
    for (std::uint32_t page = 0; page < 4; ++page) ASSERT_TRUE(fixture.program(5, page));
    fixture.configure(kSync);
  }
};

TEST_F(OneNandSuperload, next_page_comes_when_the_spare_area_was_read) {
  ASSERT_TRUE(fixture.load(5, 0));
  fixture.select(5, 1);
  fixture.give(command::kSuperload);
  const Ticks begin = fixture.now;
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), kNever) << "waits for the host";
  EXPECT_EQ(fixture.data(), OneNandFixture::pattern(0)) << "the page before is still there";
  fixture.spare();
  const Ticks read_out = fixture.now;
  const Ticks sensed = begin + timing.load[1] - timing.transfer;
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), std::max(read_out, sensed) + timing.transfer);
  fixture.wait();
  EXPECT_EQ(fixture.int_word(), interrupt::kInt | interrupt::kRead);
  EXPECT_EQ(fixture.data(), OneNandFixture::pattern(1));
  EXPECT_EQ(fixture.observer.ended.back().busy, timing.load[1]) << "waiting for the host is no work";
}

TEST_F(OneNandSuperload, transfer_waits_for_the_array_when_the_host_is_faster) {
  ASSERT_TRUE(fixture.load(5, 0));
  fixture.select(5, 1);
  fixture.give(command::kSuperload);
  const Ticks begin = fixture.now;
  fixture.burst(0x1009C, 4);
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), begin + timing.load[1]);
}

TEST_F(OneNandSuperload, given_up_it_has_worked_no_longer_than_the_array_senses) {
  ASSERT_TRUE(fixture.load(5, 0));
  fixture.select(5, 1);
  fixture.give(command::kSuperload);
  fixture.now += std::chrono::seconds{10};
  fixture.give(command::kCoreReset);
  EXPECT_TRUE(fixture.observer.ended.back().failed);
  EXPECT_EQ(fixture.observer.ended.back().busy, timing.load[1] - timing.transfer);
  EXPECT_EQ(fixture.observer.ended.back().energy,
            energy_of(fixture.core.spec().power.load_uw, timing.load[1] - timing.transfer));
}

TEST_F(OneNandSuperload, given_up_early_it_has_worked_until_then) {
  ASSERT_TRUE(fixture.load(5, 0));
  fixture.select(5, 1);
  fixture.give(command::kSuperload);
  fixture.now += timing.transfer / 5;
  const Ticks begin = fixture.observer.started.back().start;
  fixture.core.lose_power(fixture.now);
  EXPECT_EQ(fixture.observer.ended.back().busy, fixture.now - begin);
}

TEST_F(OneNandSuperload, needs_sync_mode_and_a_page_before) {
  fixture.select(5, 1);
  EXPECT_FALSE(fixture.run(command::kSuperload)) << "nothing loaded since the program";
  ASSERT_TRUE(fixture.load(5, 0));
  fixture.configure(regs::config::kDefault);
  fixture.select(5, 1);
  EXPECT_FALSE(fixture.run(command::kSuperload));
}

TEST(OneNandCopyBack, loaded_page_can_be_changed_and_programmed_elsewhere) {
  OneNandFixture fixture;
  ASSERT_TRUE(fixture.program(5, 0, OneNandFixture::pattern(1)));
  ASSERT_TRUE(fixture.load(5, 0));
  fixture.write16(regs::area::kDataRam + 100, 0xBEEF);
  fixture.select(6, 0);
  EXPECT_TRUE(fixture.run(command::kProgram));
  auto expected = OneNandFixture::pattern(1);
  expected[100] = std::byte{0xEF};
  expected[101] = std::byte{0xBE};
  EXPECT_EQ(fixture.peek(6, 0), expected);
}

}  // namespace
}  // namespace ftlab::hw::testing
