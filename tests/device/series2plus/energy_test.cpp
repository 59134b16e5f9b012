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
  CardRig rig{part_spec("series2plus-8mb", GetParam())};
  const CardTiming& timing = rig.core.spec().timing;
};

TEST_P(Energy, erase_draws_erase_power_for_its_time) {
  rig.erase(0);
  rig.finish();
  ASSERT_EQ(rig.observer.ended.size(), 1U);
  const DeviceOp& op = rig.observer.ended[0];
  EXPECT_EQ(op.kind, DeviceOpKind::erase);
  EXPECT_EQ(op.bytes, CardRig::kSegment);
  EXPECT_EQ(op.busy, timing.erase);
  EXPECT_EQ(op.end - op.start, timing.erase);
  EXPECT_NEAR(to_joules(op.energy), joules(currents().erase, currents().ipp_erase, timing.erase), 1e-6);
}

TEST_P(Energy, page_buffer_program_draws_program_power) {
  rig.page_program(0, pattern(512));
  rig.finish();
  const DeviceOp& op = rig.observer.ended.at(0);
  EXPECT_EQ(op.kind, DeviceOpKind::buffer_program);
  EXPECT_EQ(op.bytes, 512U);
  const double expected = joules(currents().program, currents().ipp_program, timing.buffer_program_byte * 256);
  EXPECT_NEAR(to_joules(op.energy), expected, expected * 1e-5);
}

TEST_P(Energy, on_card_generator_costs_its_efficiency) {
  rig.core.set_vpp_pin(rig.now, false);
  rig.set_attribute(regs::cmr::kVoltageControl, regs::cmr::kVoltageVppEnable);
  rig.now += timing.generator_rise;
  rig.erase(0);
  rig.finish();
  EXPECT_NEAR(to_joules(rig.observer.ended.at(0).energy),
              joules(currents().erase, currents().ipp_erase, timing.erase, 0.78), 1e-6);
}

TEST_P(Energy, suspended_erase_draws_suspend_power_and_is_busy_only_while_it_works) {
  rig.erase(0);
  rig.now += timing.erase / 2;
  rig.command(0, command::kSuspend);
  rig.wait_ready();
  const Ticks suspended_at = rig.now;
  rig.now += std::chrono::seconds{10};
  rig.command(0, command::kResume);
  const Ticks suspended = rig.now - suspended_at;
  rig.finish();
  const DeviceOp& op = rig.observer.ended.at(0);
  EXPECT_EQ(op.busy, timing.erase);
  EXPECT_EQ(op.end - op.start, timing.erase + suspended);
  EXPECT_NEAR(
      to_joules(op.energy),
      joules(currents().erase, currents().ipp_erase, timing.erase) + joules(currents().suspend, 65e-6, suspended),
      1e-5);
}

TEST_P(Energy, word_read_draws_read_current_of_two_components) {
  std::vector<std::byte> data(1000);
  rig.core.common().read(rig.now, 0, data);
  const DeviceOp& op = rig.observer.accesses.at(0);
  EXPECT_EQ(op.kind, DeviceOpKind::array_read);
  EXPECT_EQ(op.busy, timing.common_cycle * 500);
  EXPECT_NEAR(to_joules(op.energy), 2 * (currents().read - kStandby) * currents().vcc * to_seconds(op.busy), 1e-9);
}

TEST_P(Energy, byte_read_draws_read_current_of_one_component) {
  rig.read8(1);
  rig.read16(0);
  EXPECT_EQ(rig.observer.accesses.at(0).energy * 2, rig.observer.accesses.at(1).energy);
}

TEST_P(Energy, standby_of_all_components_flows_always) {
  const Ticks hour = std::chrono::hours{1};
  const StateEnergy energy = rig.core.state_energy(hour);
  EXPECT_NEAR(to_joules(energy.standby), 4 * kStandby * currents().vcc * 3600, 1e-6);
  EXPECT_NEAR(to_joules(energy.vpp), 4 * kLeak * kVpp * 3600, 1e-6);
  EXPECT_EQ(energy.sleep, Picojoules{});
}

TEST_P(Energy, sleeping_component_draws_sleep_power) {
  rig.command(0, command::kSleep);
  const Ticks asleep = rig.now;
  const Ticks later = asleep + std::chrono::hours{1};
  const StateEnergy before = rig.core.state_energy(asleep);
  const StateEnergy after = rig.core.state_energy(later);
  EXPECT_NEAR(to_joules(after.sleep - before.sleep), 2 * 1e-6 * currents().vcc * 3600, 1e-7);
  EXPECT_NEAR(to_joules(after.standby - before.standby), 2 * kStandby * currents().vcc * 3600, 1e-6);
}

TEST_P(Energy, totals_by_kind_are_the_sum_of_what_the_observer_saw) {
  rig.page_program(0, pattern(512));
  rig.finish();
  rig.gsr(0);
  rig.read_array(0);
  rig.read16(0);
  AccessTotals sums{};
  for (const DeviceOp& op : rig.observer.accesses) {
    AccessTotal& sum = sums[static_cast<std::size_t>(op.kind)];
    ++sum.accesses;
    sum.bytes += op.bytes;
    sum.busy += op.busy;
    sum.energy += op.energy;
  }
  for (std::size_t kind = 0; kind < kDeviceOpKinds; ++kind) {
    const AccessTotal& total = rig.core.access_totals()[kind];
    EXPECT_EQ(sums[kind].accesses, total.accesses);
    EXPECT_EQ(sums[kind].bytes, total.bytes);
    EXPECT_EQ(sums[kind].busy, total.busy);
    EXPECT_EQ(sums[kind].energy, total.energy);
  }
  const auto& loads = rig.core.access_totals()[static_cast<std::size_t>(DeviceOpKind::buffer_load)];
  EXPECT_EQ(loads.bytes, 512U);
  EXPECT_EQ(loads.busy, timing.common_cycle * 256);
}

INSTANTIATE_TEST_SUITE_P(BothVoltages, Energy, ::testing::Values(Voltage::v5, Voltage::v3_3),
                         [](const auto& test) { return std::string("at_") + name_of(test.param); });

}  // namespace
}  // namespace ftlab::hw::testing
