// Gates are tight: not ready one tick before the time of the part file, ready at it, at both voltages.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

class TimingGate : public ::testing::TestWithParam<Voltage> {
 protected:
  CardRig rig{part_spec("series2plus-8mb", GetParam())};
  const CardTiming& timing = rig.core.spec().timing;

  /// The last write cycle has just ended: the operation began at rig.now.
  void expect_ready_exactly_after(Ticks duration) {
    const Ticks end = rig.now + duration;
    EXPECT_EQ(rig.core.next_ready_edge(rig.now), end);
    EXPECT_EQ(rig.core.next_status_change(rig.now), end);
    EXPECT_FALSE(rig.core.line_level(end - Ticks{1}));
    EXPECT_TRUE(rig.core.line_level(end));
    rig.now = end - Ticks{1};
    EXPECT_EQ(rig.read16(0) & 0x8080, 0) << "ready one tick early";
    rig.now = end;
    EXPECT_EQ(rig.read16(0) & 0x8080, 0x8080) << "not ready at the tick";
  }
};

TEST_P(TimingGate, word_program_ends_at_its_tick) {
  rig.program_word(0, 0x1234);
  expect_ready_exactly_after(timing.word_program);
  EXPECT_EQ(rig.peek16(0), 0x1234);
}

TEST_P(TimingGate, two_byte_program_takes_one_word_time) {
  rig.command(0, command::kTwoByteProgram);
  rig.write16(0, 0x1111);
  rig.write16(0, 0x2222);
  expect_ready_exactly_after(timing.word_program);
}

TEST_P(TimingGate, page_buffer_program_takes_its_time_per_byte) {
  rig.page_program(0, pattern(512));
  expect_ready_exactly_after(timing.buffer_program_byte * 256);
}

TEST_P(TimingGate, short_page_buffer_program_is_proportional) {
  rig.page_program(0, pattern(10));
  expect_ready_exactly_after(timing.buffer_program_byte * 5);
}

TEST_P(TimingGate, erase_ends_at_its_tick) {
  rig.erase(0);
  expect_ready_exactly_after(timing.erase);
}

TEST_P(TimingGate, erase_all_takes_the_sum_of_its_segments) {
  rig.command(0, command::kEraseAllUnlocked);
  rig.command(0, command::kConfirm);
  expect_ready_exactly_after(timing.erase * 32);
}

TEST_P(TimingGate, lock_and_uploads_end_at_their_ticks) {
  rig.set_attribute(regs::cmr::kWriteProtection, 0);
  rig.command(0, command::kLockBlock);
  rig.command(0, command::kConfirm);
  expect_ready_exactly_after(timing.lock_program);
  rig.command(0, command::kUploadLockBits);
  rig.command(0, command::kConfirm);
  expect_ready_exactly_after(timing.upload);
  rig.command(0, command::kUploadDeviceInfo);
  rig.command(0, command::kConfirm);
  expect_ready_exactly_after(timing.upload);
}

TEST_P(TimingGate, suspended_erase_is_readable_after_its_latency) {
  rig.erase(0);
  rig.now += timing.erase / 2;
  rig.command(0, command::kSuspend);
  expect_ready_exactly_after(timing.erase_suspend);
}

TEST_P(TimingGate, sleeping_part_wakes_after_its_recovery_time) {
  rig.command(0, command::kSleep);
  rig.poke16(6, 0xBEEF);
  rig.command(0, command::kReadArray);
  const Ticks awake = rig.now + timing.wake;
  EXPECT_EQ(rig.core.next_status_change(rig.now), awake);
  rig.now = awake - Ticks{1};
  EXPECT_EQ(rig.read16(6) & 0x8080, 0);
  rig.now = awake;
  EXPECT_EQ(rig.read16(6), 0xBEEF);
}

TEST_P(TimingGate, generator_makes_vpp_valid_after_its_rise_time) {
  rig.core.set_vpp_pin(rig.now, false);
  rig.set_attribute(regs::cmr::kVoltageControl, regs::cmr::kVoltageVppEnable);
  const Ticks valid = rig.now + timing.generator_rise;
  EXPECT_EQ(rig.core.next_status_change(rig.now), valid);
  rig.now = valid - Ticks{1};
  EXPECT_EQ(rig.attribute(regs::cmr::kVoltageControl) & regs::cmr::kVoltageVppValid, 0);
  rig.now = valid;
  EXPECT_NE(rig.attribute(regs::cmr::kVoltageControl) & regs::cmr::kVoltageVppValid, 0);
}

TEST_P(TimingGate, bus_cycles_take_the_access_time_of_the_voltage) {
  const Ticks cycle = ticks_from_ns(GetParam() == Voltage::v5 ? 150 : 250);
  const Ticks attribute_cycle = ticks_from_ns(GetParam() == Voltage::v5 ? 300 : 600);
  std::vector<std::byte> data(4096);
  EXPECT_EQ(rig.core.common().read(rig.now, 0, data).time, cycle * 2048);
  EXPECT_EQ(rig.core.common().read(rig.now, 1, std::span(data).first(1)).time, cycle);
  EXPECT_EQ(rig.core.common().write(rig.now, 0, std::span(data).first(2)).time, cycle);
  EXPECT_EQ(rig.core.attribute().read(rig.now, 0, std::span(data).first(1)).time, attribute_cycle);
}

INSTANTIATE_TEST_SUITE_P(BothVoltages, TimingGate, ::testing::Values(Voltage::v5, Voltage::v3_3),
                         [](const auto& test) { return std::string("at_") + name_of(test.param); });

}  // namespace
}  // namespace ftlab::hw::testing
