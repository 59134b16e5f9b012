// Gates are tight: busy one tick before the time of the part file, done at it; bus modes take their cycles.
#include "tests/device/onenand/onenand_fixture.h"

namespace ftlab::hw::testing {
namespace {

class OneNandGate : public ::testing::Test {
 protected:
  OneNandFixture fixture;
  const OneNandTiming& timing = fixture.core.spec().timing;

  /// The command's write cycle has just ended: the work began at fixture.now.
  void expect_done_exactly_after(Ticks duration) {
    const Ticks end = fixture.now + duration;
    EXPECT_EQ(fixture.core.next_status_change(fixture.now), end);
    fixture.now = end - Ticks{1};
    EXPECT_EQ(fixture.int_word(), 0) << "done one tick early";
    fixture.now = end - Ticks{1};
    EXPECT_NE(fixture.status_word() & status::kOnGo, 0);
    fixture.now = end;
    EXPECT_NE(fixture.int_word() & interrupt::kInt, 0) << "not done at the tick";
    EXPECT_EQ(fixture.status_word() & status::kOnGo, 0);
  }
  void expect_program(std::uint32_t segment, std::uint32_t page, Ticks duration) {
    fixture.select(segment, page);
    fixture.give(command::kProgram);
    expect_done_exactly_after(duration);
    EXPECT_TRUE(fixture.core.is_programmed(segment, page));
  }
};

TEST_F(OneNandGate, load_takes_the_time_of_its_area) {
  fixture.select(0, 0);
  fixture.give(command::kLoad);
  expect_done_exactly_after(ticks_from_ns(45'000));
  fixture.select(1, 0);
  fixture.give(command::kLoad);
  expect_done_exactly_after(ticks_from_ns(50'000));
}

TEST_F(OneNandGate, program_takes_the_time_of_its_page_type) {
  expect_program(0, 4, ticks_from_ns(240'000));  // SLC area: no pairs
  for (std::uint32_t page = 0; page < 16; ++page) {
    expect_program(1, page, ticks_from_ns(regs::paired::is_lsb(page) ? 240'000 : 1'760'000));
  }
}

TEST_F(OneNandGate, first_page_written_counts_as_lsb) {
  expect_program(1, 8, ticks_from_ns(240'000));
  expect_program(1, 9, ticks_from_ns(1'760'000));
}

TEST_F(OneNandGate, segment_written_lsb_only_is_fast_throughout) {
  for (std::uint32_t n = 0; n < 64; ++n) expect_program(1, regs::paired::lsb_page(n), ticks_from_ns(240'000));
}

TEST_F(OneNandGate, erase_ends_at_its_tick) {
  fixture.select(1, 0);
  fixture.give(command::kErase);
  expect_done_exactly_after(ticks_from_ns(500'000));
}

TEST_F(OneNandGate, small_commands_and_resets_end_at_their_ticks) {
  fixture.give(command::kUnlockAll);
  expect_done_exactly_after(timing.unlock_all);
  fixture.give(command::kLock);
  expect_done_exactly_after(timing.command);
  fixture.give(command::kOtpAccess);
  expect_done_exactly_after(timing.command);
  fixture.give(command::kCoreReset);
  expect_done_exactly_after(timing.reset_idle);
  EXPECT_EQ(fixture.int_word(), interrupt::kInt | interrupt::kReset);
}

TEST_F(OneNandGate, reset_lasts_by_what_it_interrupts) {
  fixture.select(1, 0);
  fixture.give(command::kProgram);
  fixture.give(command::kCoreReset);
  expect_done_exactly_after(timing.reset_program);
  fixture.give(command::kErase);
  fixture.give(command::kCoreReset);
  expect_done_exactly_after(timing.reset_erase);
  fixture.give(command::kLoad);
  fixture.give(command::kCoreReset);
  expect_done_exactly_after(timing.reset_idle);
}

TEST_F(OneNandGate, recovery_read_takes_its_own_time) {
  fixture.select(1, 0);
  fixture.give(command::kLsbRecoveryRead);
  expect_done_exactly_after(timing.recovery_load);
}

TEST(OneNandBusTime, async_cycles_are_counted_one_by_one) {
  OneNandFixture fixture;
  std::vector<std::byte> page(regs::kPageBytes);
  EXPECT_EQ(fixture.core.bus().read(fixture.now, regs::area::kDataRam, page).time, ticks_from_ns(76) * 2048);
  EXPECT_EQ(fixture.core.bus().write(fixture.now, regs::area::kDataRam, page).time, ticks_from_ns(70) * 2048);
}

TEST(OneNandBusTime, sync_burst_costs_latency_and_a_clock_a_word) {
  OneNandFixture fixture;
  std::vector<std::byte> page(regs::kPageBytes);
  const Ticks clock = fixture.core.spec().bus.sync_clock;
  const Ticks setup = fixture.core.spec().bus.sync_setup;
  fixture.configure(0xC0C0);  // sync read, latency 4, continuous
  EXPECT_EQ(fixture.core.bus().read(fixture.now, regs::area::kDataRam, page).time, setup + clock * (4 + 2048));
  EXPECT_EQ(fixture.core.bus().write(fixture.now, regs::area::kDataRam, page).time, ticks_from_ns(70) * 2048)
      << "writes stay async";
  fixture.configure(0xE8C2);  // sync write too, latency 6, bursts of 32 words
  EXPECT_EQ(fixture.core.bus().read(fixture.now, regs::area::kDataRam, page).time,
            (setup + clock * 6) * 64 + clock * 2048);
  EXPECT_EQ(fixture.core.bus().write(fixture.now, regs::area::kDataRam, page).time,
            (setup + clock * 6) * 64 + clock * 2048);
  fixture.configure(0x80C0);  // latency field 0 means 8
  EXPECT_EQ(fixture.core.bus().read(fixture.now, reg::kInterrupt, std::span(page).first(2)).time, setup + clock * 9);
}

TEST(OneNandProfile, calibrated_times_are_in_force) {
  auto file = spec::TomlFile::load(std::string(FTLAB_PART_DIR) + "/flexonenand-4gb.toml");
  for (const auto& [key, value] : ideal()) file.set(key, value, "test");
  OneNandFixture fixture(load_onenand_spec(file, "flexfs-calibrated"));
  fixture.select(1, 0);
  fixture.give(command::kErase);
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), fixture.now + ticks_from_ns(857'000));
}

}  // namespace
}  // namespace ftlab::hw::testing
