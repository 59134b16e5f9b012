// Energy and time books balance; what is set from outside is seen as the part would show it.
#include "tests/device/onenand/onenand_fixture.h"

namespace ftlab::hw::testing {
namespace {

Picojoules sum_of(const std::vector<DeviceOp>& ops) {
  Picojoules sum;
  for (const DeviceOp& op : ops) sum += op.energy;
  return sum;
}

TEST(OneNandEnergy, every_operation_is_power_times_time_above_standby) {
  OneNandFixture fixture;
  const OneNandPower& power = fixture.core.spec().power;
  const OneNandTiming& timing = fixture.core.spec().timing;
  EXPECT_EQ(power.program_uw, 44'982);  // (25 mA - 10 uA) x 1.8 V
  for (std::uint32_t page = 0; page < 5; ++page) fixture.program(5, page);
  fixture.load(5, 0);
  fixture.erase(5);
  const auto& ended = fixture.observer.ended;
  ASSERT_EQ(ended.size(), 7U);
  EXPECT_EQ(ended[0].kind, DeviceOpKind::buffer_program);
  EXPECT_EQ(ended[0].energy, energy_of(power.program_uw, timing.program[1]));
  EXPECT_EQ(ended[4].energy, energy_of(power.program_uw, timing.program[2])) << "page 4 is an MSB page";
  EXPECT_EQ(ended[5].kind, DeviceOpKind::load);
  EXPECT_EQ(ended[5].energy, energy_of(power.load_uw, timing.load[1]));
  EXPECT_EQ(ended[6].kind, DeviceOpKind::erase);
  EXPECT_EQ(ended[6].energy, energy_of(power.erase_uw, timing.erase_mlc));
  EXPECT_EQ(ended[4].address, 5ULL * 512 * 1024 + 4 * 4096);
  EXPECT_EQ(ended[4].tag, fixture.observer.started[4].tag);
  EXPECT_EQ(ended[4].end, ended[4].start + ended[4].busy);
}

TEST(OneNandEnergy, access_totals_equal_what_the_observer_saw) {
  OneNandFixture fixture;
  AccessTotals before = fixture.core.access_totals();
  fixture.program(5, 0);
  fixture.load(5, 0);
  fixture.data();
  fixture.configure(0xC0C0);
  fixture.data();
  std::uint64_t bytes = 0;
  Picojoules energy;
  for (std::size_t kind = 0; kind < kDeviceOpKinds; ++kind) {
    bytes += fixture.core.access_totals()[kind].bytes - before[kind].bytes;
    energy += fixture.core.access_totals()[kind].energy - before[kind].energy;
  }
  std::uint64_t seen = 0;
  for (const DeviceOp& op : fixture.observer.accesses) seen += op.bytes;
  EXPECT_EQ(bytes, seen);
  EXPECT_EQ(energy, sum_of(fixture.observer.accesses));
  const auto& last = fixture.observer.accesses.back();
  EXPECT_EQ(last.kind, DeviceOpKind::array_read);
  EXPECT_EQ(last.energy, energy_of(fixture.core.spec().power.sync_read_uw, last.busy));
}

TEST(OneNandEnergy, standby_flows_per_die_while_there_is_supply) {
  const Ticks second{10'000'000'000};
  OneNandCore one(onenand_part("flexonenand-4gb"), {});
  OneNandCore two(onenand_part("flexonenand-8gb-ddp"), {});
  EXPECT_EQ(one.state_energy(second).standby, Picojoules{18'000'000});  // 10 uA x 1.8 V x 1 s
  EXPECT_EQ(two.state_energy(second).standby, Picojoules{36'000'000});
  one.lose_power(second);
  EXPECT_EQ(one.state_energy(second * 5).total(), Picojoules{18'000'000});
  one.restore_power(second * 5);
  EXPECT_EQ(one.state_energy(second * 6).total(), Picojoules{36'000'000});
}

TEST(OneNandInspection, poked_pages_load_like_programmed_ones) {
  OneNandFixture fixture;
  const auto data = OneNandFixture::pattern(1);
  fixture.core.poke(6ULL * 512 * 1024 + 4096, data);
  std::array<std::byte, 128> spare{};
  fixture.core.poke_spare(6, 1, spare);
  EXPECT_TRUE(fixture.load(6, 1));
  EXPECT_EQ(fixture.data(), data);
  EXPECT_EQ(fixture.spare()[0], std::byte{0});
  EXPECT_FALSE(fixture.program(6, 1));
  std::array<std::byte, 128> seen{};
  seen.fill(std::byte{1});
  fixture.core.peek_spare(6, 1, seen);
  EXPECT_EQ(seen, spare);
}

}  // namespace
}  // namespace ftlab::hw::testing
