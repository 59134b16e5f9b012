// Residence in idle states times power, over spans as long as a life.
#include "hw/series2plus/bus/state_energy.h"

#include <gtest/gtest.h>

#include <limits>

#include "hw/base/energy.h"

namespace ftlab::hw {
namespace {

CardSpec two_components() {
  CardSpec spec;
  spec.pairs = 1;
  spec.power.standby_nw = 250'000;
  spec.power.sleep_nw = 5'000;
  spec.power.vpp_standby_nw = {12'000, 15'000};
  return spec;
}

constexpr Ticks kHour = std::chrono::hours{1};

TEST(StateEnergy, components_are_booked_in_the_state_they_are_in) {
  const CardSpec spec = two_components();
  StateEnergyMeter meter(spec);
  meter.move(kHour, IdleState::standby, IdleState::sleep, 1);
  meter.move(2 * kHour, IdleState::standby, IdleState::off, 1);
  const StateEnergy energy = meter.until(3 * kHour);
  EXPECT_EQ(energy.standby.count(), 3LL * 3600 * 250'000'000);  // pJ: 2 h + 1 h
  EXPECT_EQ(energy.sleep.count(), 2LL * 3600 * 5'000'000);
}

TEST(StateEnergy, vpp_leakage_depends_on_its_source) {
  const CardSpec spec = two_components();
  StateEnergyMeter meter(spec);
  meter.set_vpp(kHour, VppSource::socket);
  meter.set_vpp(2 * kHour, VppSource::generator);
  meter.set_vpp(3 * kHour, VppSource::none);
  EXPECT_EQ(meter.until(9 * kHour).vpp.count(), 2LL * 3600 * (12'000'000 + 15'000'000));
}

TEST(StateEnergy, asking_again_gives_the_same) {
  const CardSpec spec = two_components();
  const StateEnergyMeter meter(spec);
  EXPECT_EQ(meter.until(kHour).total(), meter.until(kHour).total());
}

TEST(EnergyOf, is_exact_for_short_and_for_long_times) {
  EXPECT_EQ(energy_of(209'000, std::chrono::microseconds{6}).count(), 1'254'000);  // 209 mW x 6 us
  EXPECT_EQ(long_energy_of(1, std::chrono::seconds{1}).count(), 1'000);
  // 20 years of a milliwatt: beyond 64 bits if multiplied first.
  EXPECT_EQ(long_energy_of(1'000'000, std::chrono::hours{24 * 365 * 20}).count(), 630'720'000'000'000'000);
}

TEST(StateEnergy, every_component_counts_up_to_the_end_of_the_clock) {
  CardSpec spec = two_components();
  for (const std::uint32_t pairs : {1U, 6U, 10U, 1000U}) {
    spec.pairs = pairs;
    StateEnergyMeter meter(spec);
    meter.set_vpp(Ticks::zero(), VppSource::socket);
    meter.move(Ticks::zero(), IdleState::standby, IdleState::sleep, pairs);
    const StateEnergy energy = meter.until(kClockEnd);
    const Int128 seconds = kClockEnd / std::chrono::seconds{1};
    EXPECT_EQ(energy.standby.count(), seconds * pairs * 250'000'000) << pairs;
    EXPECT_EQ(energy.sleep.count(), seconds * pairs * 5'000'000) << pairs;
    EXPECT_EQ(energy.vpp.count(), seconds * pairs * 2 * 12'000'000) << pairs;
  }
}

TEST(EnergyOf, holds_any_power_for_any_time) {
  EXPECT_EQ(energy_of(100'000'000, Ticks::max()).count() / 10'000, Ticks::max().count()) << "100 W";
  EXPECT_EQ(long_energy_of(100'000'000'000, TickSum{Ticks::max()} * 4096).count() / 4096 / 10'000,
            Ticks::max().count());
}

TEST(EnergyOf, is_rounded_as_one_product) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  // A watt for 16 minutes is beyond 64 bits if multiplied first.
  EXPECT_EQ(energy_of(1'000'000, std::chrono::minutes{16}).count(), 960'000'000'000'000);
  EXPECT_EQ(energy_of(1'000'000, std::chrono::hours{24 * 106}).count(), 9'158'400'000'000'000'000);
  EXPECT_EQ(energy_of(10'000, Ticks::max()).count(), kMax) << "a picojoule in each tick";
  EXPECT_EQ(energy_of(9'999, Ticks{14'999}).count(), 14'998) << "rounded as one product: 14997.5001";
  EXPECT_EQ(energy_of(50, Ticks{20'100}).count(), 101) << "100.5";
  EXPECT_EQ(long_energy_of(10'000'000, Ticks::max()).count(), kMax);
}

}  // namespace
}  // namespace ftlab::hw
