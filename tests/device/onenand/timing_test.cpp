// Gates are tight: busy one tick before the time of the part file, done at it; bus modes take their cycles.
#include "tests/device/onenand/onenand_fixture.h"

namespace ftlab::hw::testing {
namespace {

class OneNandGate : public ::testing::Test {
 protected:
  OneNandRig rig;
  const OneNandTiming& timing = rig.core.spec().timing;

  /// The command's write cycle has just ended: the work began at rig.now.
  void expect_done_exactly_after(Ticks duration) {
    const Ticks end = rig.now + duration;
    EXPECT_EQ(rig.core.next_status_change(rig.now), end);
    rig.now = end - Ticks{1};
    EXPECT_EQ(rig.int_word(), 0) << "done one tick early";
    rig.now = end - Ticks{1};
    EXPECT_NE(rig.status_word() & status::kOnGo, 0);
    rig.now = end;
    EXPECT_NE(rig.int_word() & interrupt::kInt, 0) << "not done at the tick";
    EXPECT_EQ(rig.status_word() & status::kOnGo, 0);
  }
  void expect_program(std::uint32_t segment, std::uint32_t page, Ticks duration) {
    rig.select(segment, page);
    rig.give(command::kProgram);
    expect_done_exactly_after(duration);
    EXPECT_TRUE(rig.core.is_programmed(segment, page));
  }
};

TEST_F(OneNandGate, load_takes_the_time_of_its_area) {
  rig.select(0, 0);
  rig.give(command::kLoad);
  expect_done_exactly_after(ticks_from_ns(45'000));
  rig.select(1, 0);
  rig.give(command::kLoad);
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
  rig.select(1, 0);
  rig.give(command::kErase);
  expect_done_exactly_after(ticks_from_ns(500'000));
}

TEST_F(OneNandGate, small_commands_and_resets_end_at_their_ticks) {
  rig.give(command::kUnlockAll);
  expect_done_exactly_after(timing.unlock_all);
  rig.give(command::kLock);
  expect_done_exactly_after(timing.command);
  rig.give(command::kOtpAccess);
  expect_done_exactly_after(timing.command);
  rig.give(command::kCoreReset);
  expect_done_exactly_after(timing.reset_idle);
  EXPECT_EQ(rig.int_word(), interrupt::kInt | interrupt::kReset);
}

TEST_F(OneNandGate, reset_lasts_by_what_it_interrupts) {
  rig.select(1, 0);
  rig.give(command::kProgram);
  rig.give(command::kCoreReset);
  expect_done_exactly_after(timing.reset_program);
  rig.give(command::kErase);
  rig.give(command::kCoreReset);
  expect_done_exactly_after(timing.reset_erase);
  rig.give(command::kLoad);
  rig.give(command::kCoreReset);
  expect_done_exactly_after(timing.reset_idle);
}

TEST_F(OneNandGate, recovery_read_takes_its_own_time) {
  rig.select(1, 0);
  rig.give(command::kLsbRecoveryRead);
  expect_done_exactly_after(timing.recovery_load);
}

TEST(OneNandBusTime, async_cycles_are_counted_one_by_one) {
  OneNandRig rig;
  std::vector<std::byte> page(regs::kPageBytes);
  EXPECT_EQ(rig.core.bus().read(rig.now, regs::area::kDataRam, page).time, ticks_from_ns(76) * 2048);
  EXPECT_EQ(rig.core.bus().write(rig.now, regs::area::kDataRam, page).time, ticks_from_ns(70) * 2048);
}

TEST(OneNandBusTime, sync_burst_costs_latency_and_a_clock_a_word) {
  OneNandRig rig;
  std::vector<std::byte> page(regs::kPageBytes);
  const Ticks clock = rig.core.spec().bus.sync_clock;
  const Ticks setup = rig.core.spec().bus.sync_setup;
  rig.configure(0xC0C0);  // sync read, latency 4, continuous
  EXPECT_EQ(rig.core.bus().read(rig.now, regs::area::kDataRam, page).time, setup + clock * (4 + 2048));
  EXPECT_EQ(rig.core.bus().write(rig.now, regs::area::kDataRam, page).time, ticks_from_ns(70) * 2048)
      << "writes stay async";
  rig.configure(0xE8C2);  // sync write too, latency 6, bursts of 32 words
  EXPECT_EQ(rig.core.bus().read(rig.now, regs::area::kDataRam, page).time, (setup + clock * 6) * 64 + clock * 2048);
  EXPECT_EQ(rig.core.bus().write(rig.now, regs::area::kDataRam, page).time, (setup + clock * 6) * 64 + clock * 2048);
  rig.configure(0x80C0);  // latency field 0 means 8
  EXPECT_EQ(rig.core.bus().read(rig.now, reg::kInterrupt, std::span(page).first(2)).time, setup + clock * 9);
}

TEST(OneNandProfile, calibrated_times_are_in_force) {
  auto file = spec::TomlFile::load(std::string(FTLAB_PART_DIR) + "/flexonenand-4gb.toml");
  for (const auto& [key, value] : ideal()) file.set(key, value, "test");
  OneNandRig rig(load_onenand_spec(file, "flexfs-calibrated"));
  rig.select(1, 0);
  rig.give(command::kErase);
  EXPECT_EQ(rig.core.next_status_change(rig.now), rig.now + ticks_from_ns(857'000));
}

}  // namespace
}  // namespace ftlab::hw::testing
