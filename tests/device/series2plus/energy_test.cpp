// Energy per operation and per state against the part file, at both voltages and from both Vpp sources.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

struct Currents {  // A, of one component; V
  double vcc, read, program, erase, suspend, ipp_program, ipp_erase;
};
constexpr double kStandby = 50e-6;
constexpr double kLeak = 1e-6;
constexpr double kVpp = 12;

constexpr Currents kAt5V{5.0, 50e-3, 25e-3, 18e-3, 5e-3, 7e-3, 5e-3};
constexpr Currents kAt3V3{3.3, 30e-3, 8e-3, 6e-3, 3e-3, 10e-3, 4e-3};

class Energy : public ::testing::TestWithParam<Voltage> {
 protected:
  [[nodiscard]] const Currents& currents() const { return GetParam() == Voltage::v5 ? kAt5V : kAt3V3; }
  /// Of the pair, above standby and leakage.
  [[nodiscard]] double joules(double icc, double ipp, Ticks time, double efficiency = 1) const {
    return 2 * ((icc - kStandby) * currents().vcc + (ipp - kLeak) * kVpp / efficiency) * to_seconds(time);
  }
  CardFixture fixture{part_spec("series2plus-8mb", GetParam())};
  const CardTiming& timing = fixture.core.spec().timing;
};

TEST_P(Energy, erase_draws_erase_power_for_its_time) {
  fixture.erase(0);
  fixture.finish();
  ASSERT_EQ(fixture.observer.ended.size(), 1U);
  const DeviceOp& op = fixture.observer.ended[0];
  EXPECT_EQ(op.kind, DeviceOpKind::erase);
  EXPECT_EQ(op.bytes, CardFixture::kSegment);
  EXPECT_EQ(op.busy, timing.erase);
  EXPECT_EQ(op.end - op.start, timing.erase);
  EXPECT_NEAR(to_joules(op.energy), joules(currents().erase, currents().ipp_erase, timing.erase), 1e-6);
}

TEST_P(Energy, page_buffer_program_draws_program_power) {
  fixture.page_program(0, pattern(512));
  fixture.finish();
  const DeviceOp& op = fixture.observer.ended.at(0);
  EXPECT_EQ(op.kind, DeviceOpKind::buffer_program);
  EXPECT_EQ(op.bytes, 512U);
  const double expected = joules(currents().program, currents().ipp_program, timing.buffer_program_byte * 256);
  EXPECT_NEAR(to_joules(op.energy), expected, expected * 1e-5);
}

TEST_P(Energy, on_card_generator_costs_its_efficiency) {
  fixture.core.set_vpp_pin(fixture.now, false);
  fixture.set_attribute(regs::cmr::kVoltageControl, regs::cmr::kVoltageVppEnable);
  fixture.now += timing.generator_rise;
  fixture.erase(0);
  fixture.finish();
  EXPECT_NEAR(to_joules(fixture.observer.ended.at(0).energy),
              joules(currents().erase, currents().ipp_erase, timing.erase, 0.78), 1e-6);
}

TEST_P(Energy, suspended_erase_draws_suspend_power_and_is_busy_only_while_it_works) {
  fixture.erase(0);
  fixture.now += timing.erase / 2;
  fixture.command(0, command::kSuspend);
  fixture.wait_ready();
  const Ticks suspended_at = fixture.now;
  fixture.now += std::chrono::seconds{10};
  fixture.command(0, command::kResume);
  const Ticks suspended = fixture.now - suspended_at;
  fixture.finish();
  const DeviceOp& op = fixture.observer.ended.at(0);
  EXPECT_EQ(op.busy, timing.erase);
  EXPECT_EQ(op.end - op.start, timing.erase + suspended);
  EXPECT_NEAR(
      to_joules(op.energy),
      joules(currents().erase, currents().ipp_erase, timing.erase) + joules(currents().suspend, 65e-6, suspended),
      1e-5);
}

TEST_P(Energy, word_read_draws_read_current_of_two_components) {
  std::vector<std::byte> data(1000);
  fixture.core.common().read(fixture.now, 0, data);
  const DeviceOp& op = fixture.observer.accesses.at(0);
  EXPECT_EQ(op.kind, DeviceOpKind::array_read);
  EXPECT_EQ(op.busy, timing.common_cycle * 500);
  EXPECT_NEAR(to_joules(op.energy), 2 * (currents().read - kStandby) * currents().vcc * to_seconds(op.busy), 1e-9);
}

TEST_P(Energy, byte_read_draws_read_current_of_one_component) {
  fixture.read8(1);
  fixture.read16(0);
  EXPECT_EQ(fixture.observer.accesses.at(0).energy * 2, fixture.observer.accesses.at(1).energy);
}

TEST_P(Energy, standby_of_all_components_flows_always) {
  const Ticks hour = std::chrono::hours{1};
  const StateEnergy energy = fixture.core.state_energy(hour);
  EXPECT_NEAR(to_joules(energy.standby), 4 * kStandby * currents().vcc * 3600, 1e-6);
  EXPECT_NEAR(to_joules(energy.vpp), 4 * kLeak * kVpp * 3600, 1e-6);
  EXPECT_EQ(energy.sleep, Picojoules{});
}

TEST_P(Energy, sleeping_component_draws_sleep_power) {
  fixture.command(0, command::kSleep);
  const Ticks asleep = fixture.now;
  const Ticks later = asleep + std::chrono::hours{1};
  const StateEnergy before = fixture.core.state_energy(asleep);
  const StateEnergy after = fixture.core.state_energy(later);
  EXPECT_NEAR(to_joules(after.sleep - before.sleep), 2 * 1e-6 * currents().vcc * 3600, 1e-7);
  EXPECT_NEAR(to_joules(after.standby - before.standby), 2 * kStandby * currents().vcc * 3600, 1e-6);
}

TEST_P(Energy, totals_by_kind_are_the_sum_of_what_the_observer_saw) {
  fixture.page_program(0, pattern(512));
  fixture.finish();
  fixture.gsr(0);
  fixture.read_array(0);
  fixture.read16(0);
  AccessTotals sums{};
  for (const DeviceOp& op : fixture.observer.accesses) {
    AccessTotal& sum = sums[static_cast<std::size_t>(op.kind)];
    ++sum.accesses;
    sum.bytes += op.bytes;
    sum.busy += op.busy;
    sum.energy += op.energy;
  }
  for (std::size_t kind = 0; kind < kDeviceOpKinds; ++kind) {
    const AccessTotal& total = fixture.core.access_totals()[kind];
    EXPECT_EQ(sums[kind].accesses, total.accesses);
    EXPECT_EQ(sums[kind].bytes, total.bytes);
    EXPECT_EQ(sums[kind].busy, total.busy);
    EXPECT_EQ(sums[kind].energy, total.energy);
  }
  const auto& loads = fixture.core.access_totals()[static_cast<std::size_t>(DeviceOpKind::buffer_load)];
  EXPECT_EQ(loads.bytes, 512U);
  EXPECT_EQ(loads.busy, timing.common_cycle * 256);
}

INSTANTIATE_TEST_SUITE_P(BothVoltages, Energy, ::testing::Values(Voltage::v5, Voltage::v3_3),
                         [](const auto& test) { return std::string("at_") + name_of(test.param); });

}  // namespace
}  // namespace ftlab::hw::testing
