// Gates are tight: not ready one tick before the time of the part file, ready at it, at both voltages.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

class TimingGate : public ::testing::TestWithParam<Voltage> {
 protected:
  CardFixture fixture{part_spec("series2plus-8mb", GetParam())};
  const CardTiming& timing = fixture.core.spec().timing;

  /// The last write cycle has just ended: the operation began at fixture.now.
  void expect_ready_exactly_after(Ticks duration) {
    const Ticks end = fixture.now + duration;
    EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), end);
    EXPECT_EQ(fixture.core.next_status_change(fixture.now), end);
    EXPECT_FALSE(fixture.core.line_level(end - Ticks{1}));
    EXPECT_TRUE(fixture.core.line_level(end));
    fixture.now = end - Ticks{1};
    EXPECT_EQ(fixture.read16(0) & 0x8080, 0) << "ready one tick early";
    fixture.now = end;
    EXPECT_EQ(fixture.read16(0) & 0x8080, 0x8080) << "not ready at the tick";
  }
};

TEST_P(TimingGate, word_program_ends_at_its_tick) {
  fixture.program_word(0, 0x1234);
  expect_ready_exactly_after(timing.word_program);
  EXPECT_EQ(fixture.peek16(0), 0x1234);
}

TEST_P(TimingGate, two_byte_program_takes_one_word_time) {
  fixture.command(0, command::kTwoByteProgram);
  fixture.write16(0, 0x1111);
  fixture.write16(0, 0x2222);
  expect_ready_exactly_after(timing.word_program);
}

TEST_P(TimingGate, page_buffer_program_takes_its_time_per_byte) {
  fixture.page_program(0, pattern(512));
  expect_ready_exactly_after(timing.buffer_program_byte * 256);
}

TEST_P(TimingGate, short_page_buffer_program_is_proportional) {
  fixture.page_program(0, pattern(10));
  expect_ready_exactly_after(timing.buffer_program_byte * 5);
}

TEST_P(TimingGate, erase_ends_at_its_tick) {
  fixture.erase(0);
  expect_ready_exactly_after(timing.erase);
}

TEST_P(TimingGate, erase_all_takes_the_sum_of_its_segments) {
  fixture.command(0, command::kEraseAllUnlocked);
  fixture.command(0, command::kConfirm);
  expect_ready_exactly_after(timing.erase * 32);
}

TEST_P(TimingGate, lock_and_uploads_end_at_their_ticks) {
  fixture.set_attribute(regs::cmr::kWriteProtection, 0);
  fixture.command(0, command::kLockBlock);
  fixture.command(0, command::kConfirm);
  expect_ready_exactly_after(timing.lock_program);
  fixture.command(0, command::kUploadLockBits);
  fixture.command(0, command::kConfirm);
  expect_ready_exactly_after(timing.upload);
  fixture.command(0, command::kUploadDeviceInfo);
  fixture.command(0, command::kConfirm);
  expect_ready_exactly_after(timing.upload);
}

TEST_P(TimingGate, suspended_erase_is_readable_after_its_latency) {
  fixture.erase(0);
  fixture.now += timing.erase / 2;
  fixture.command(0, command::kSuspend);
  expect_ready_exactly_after(timing.erase_suspend);
}

TEST_P(TimingGate, sleeping_part_wakes_after_its_recovery_time) {
  fixture.command(0, command::kSleep);
  fixture.poke16(6, 0xBEEF);
  fixture.command(0, command::kReadArray);
  const Ticks awake = fixture.now + timing.wake;
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), awake);
  fixture.now = awake - Ticks{1};
  EXPECT_EQ(fixture.read16(6) & 0x8080, 0);
  fixture.now = awake;
  EXPECT_EQ(fixture.read16(6), 0xBEEF);
}

TEST_P(TimingGate, generator_makes_vpp_valid_after_its_rise_time) {
  fixture.core.set_vpp_pin(fixture.now, false);
  fixture.set_attribute(regs::cmr::kVoltageControl, regs::cmr::kVoltageVppEnable);
  const Ticks valid = fixture.now + timing.generator_rise;
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), valid);
  fixture.now = valid - Ticks{1};
  EXPECT_EQ(fixture.attribute(regs::cmr::kVoltageControl) & regs::cmr::kVoltageVppValid, 0);
  fixture.now = valid;
  EXPECT_NE(fixture.attribute(regs::cmr::kVoltageControl) & regs::cmr::kVoltageVppValid, 0);
}

TEST_P(TimingGate, bus_cycles_take_the_access_time_of_the_voltage) {
  const Ticks cycle = ticks_from_ns(GetParam() == Voltage::v5 ? 150 : 250);
  const Ticks attribute_cycle = ticks_from_ns(GetParam() == Voltage::v5 ? 300 : 600);
  std::vector<std::byte> data(4096);
  EXPECT_EQ(fixture.core.common().read(fixture.now, 0, data).time, cycle * 2048);
  EXPECT_EQ(fixture.core.common().read(fixture.now, 1, std::span(data).first(1)).time, cycle);
  EXPECT_EQ(fixture.core.common().write(fixture.now, 0, std::span(data).first(2)).time, cycle);
  EXPECT_EQ(fixture.core.attribute().read(fixture.now, 0, std::span(data).first(1)).time, attribute_cycle);
}

INSTANTIATE_TEST_SUITE_P(BothVoltages, TimingGate, ::testing::Values(Voltage::v5, Voltage::v3_3),
                         [](const auto& test) { return std::string("at_") + name_of(test.param); });

}  // namespace
}  // namespace ftlab::hw::testing
