// Energy and time books balance, and what survives without supply survives in an image.
#include <sstream>

#include "common/input_error.h"
#include "tests/device/onenand_rig.h"

namespace ftlab::hw::testing {
namespace {

Picojoules sum_of(const std::vector<DeviceOp>& ops) {
  Picojoules sum;
  for (const DeviceOp& op : ops) sum += op.energy;
  return sum;
}

TEST(OneNandEnergy, every_operation_is_power_times_time_above_standby) {
  OneNandRig rig;
  const OneNandPower& power = rig.core.spec().power;
  const OneNandTiming& timing = rig.core.spec().timing;
  EXPECT_EQ(power.program_uw, 44'982);  // (25 mA - 10 uA) x 1.8 V
  for (std::uint32_t page = 0; page < 5; ++page) rig.program(5, page);
  rig.load(5, 0);
  rig.erase(5);
  const auto& ended = rig.observer.ended;
  ASSERT_EQ(ended.size(), 7U);
  EXPECT_EQ(ended[0].kind, DeviceOpKind::buffer_program);
  EXPECT_EQ(ended[0].energy, energy_of(power.program_uw, timing.program[1]));
  EXPECT_EQ(ended[4].energy, energy_of(power.program_uw, timing.program[2])) << "page 4 is an MSB page";
  EXPECT_EQ(ended[5].kind, DeviceOpKind::load);
  EXPECT_EQ(ended[5].energy, energy_of(power.load_uw, timing.load[1]));
  EXPECT_EQ(ended[6].kind, DeviceOpKind::erase);
  EXPECT_EQ(ended[6].energy, energy_of(power.erase_uw, timing.erase_mlc));
  EXPECT_EQ(ended[4].address, 5ULL * 512 * 1024 + 4 * 4096);
  EXPECT_EQ(ended[4].tag, rig.observer.started[4].tag);
  EXPECT_EQ(ended[4].end, ended[4].start + ended[4].busy);
}

TEST(OneNandEnergy, access_totals_equal_what_the_observer_saw) {
  OneNandRig rig;
  AccessTotals before = rig.core.access_totals();
  rig.program(5, 0);
  rig.load(5, 0);
  rig.data();
  rig.configure(0xC0C0);
  rig.data();
  std::uint64_t bytes = 0;
  Picojoules energy;
  for (std::size_t kind = 0; kind < kDeviceOpKinds; ++kind) {
    bytes += rig.core.access_totals()[kind].bytes - before[kind].bytes;
    energy += rig.core.access_totals()[kind].energy - before[kind].energy;
  }
  std::uint64_t seen = 0;
  for (const DeviceOp& op : rig.observer.accesses) seen += op.bytes;
  EXPECT_EQ(bytes, seen);
  EXPECT_EQ(energy, sum_of(rig.observer.accesses));
  const auto& last = rig.observer.accesses.back();
  EXPECT_EQ(last.kind, DeviceOpKind::array_read);
  EXPECT_EQ(last.energy, energy_of(rig.core.spec().power.sync_read_uw, last.busy));
}

TEST(OneNandEnergy, standby_flows_per_die_while_there_is_supply) {
  const Ticks second{10'000'000'000};
  OneNandCore one(onenand_part("flexonenand-4gb"), {});
  OneNandCore two(onenand_part("flexonenand-8gb-ddp"), {});
  EXPECT_EQ(one.state_energy(second).standby, Picojoules{18'000'000});  // 10 uA x 1.8 V x 1 s
  EXPECT_EQ(two.state_energy(second).standby, Picojoules{36'000'000});
  one.power_cut(second);
  EXPECT_EQ(one.state_energy(second * 5).total(), Picojoules{18'000'000});
  one.power_up(second * 5);
  EXPECT_EQ(one.state_energy(second * 6).total(), Picojoules{36'000'000});
}

TEST(OneNandImage, round_trip_keeps_everything_that_survives_without_supply) {
  OneNandRig rig(onenand_part());
  std::uint32_t segment = 1;
  while (rig.core.is_bad(segment)) ++segment;
  rig.core.set_erase_count(segment, 77);
  for (std::uint32_t page = 0; page < 6; ++page) rig.program(segment, page);
  rig.select(segment, 8);
  rig.give(command::kProgram);
  rig.now += ticks_from_ns(300'000);
  rig.core.power_cut(rig.now);
  std::stringstream image;
  rig.core.save_image(image);

  OneNandRig other(onenand_part(), 99);
  other.core.load_image(image, "image");
  EXPECT_EQ(other.core.erase_count(segment), 77U);
  EXPECT_EQ(other.peek(segment, 3), OneNandRig::pattern(3));
  EXPECT_TRUE(other.load(segment, 4));
  EXPECT_FALSE(other.load(segment, 8)) << "half done";
  EXPECT_FALSE(other.load(segment, 2)) << "its partner";
  EXPECT_FALSE(other.program(segment, 8));
  EXPECT_TRUE(other.program(segment, 9));
  for (std::uint32_t i = 0; i < 1024; ++i) {
    EXPECT_EQ(other.core.is_factory_bad(i), rig.core.is_factory_bad(i));
    EXPECT_EQ(other.core.endurance_limit(i), rig.core.endurance_limit(i));
  }
}

TEST(OneNandImage, boundary_and_locks_come_with_it) {
  OneNandRig rig;
  rig.ecc_off();
  rig.run(command::kPartitionAccess);
  rig.erase(0);
  OneNandRig::Bytes page(regs::kPageBytes, std::byte{0xFF});
  page[0] = std::byte{7};
  page[1] = std::byte{0xFC};
  rig.program(0, 0, page);
  std::stringstream image;
  rig.core.save_image(image);
  OneNandRig other(onenand_part("flexonenand-4gb", ideal()), 5, true);
  other.core.load_image(image, "image");
  EXPECT_EQ(other.core.boundary(0), 7U);
}

TEST(OneNandImage, foreign_or_short_image_is_refused_and_changes_nothing) {
  OneNandRig rig;
  rig.program(5, 0);
  std::stringstream image;
  rig.core.save_image(image);
  const std::string text = image.str();
  const auto refuses = [](OneNandRig& target, const std::string& bytes, const std::string& reason) {
    std::stringstream in(bytes);
    try {
      target.core.load_image(in, "x.img");
      return false;
    } catch (const InputError& error) {
      const std::string message = error.what();
      return message.find("x.img") == 0 && message.find(reason) != std::string::npos;
    }
  };
  OneNandRig bigger(onenand_part("flexonenand-8gb", ideal()));
  OneNandRig target;
  target.program(6, 0);
  EXPECT_TRUE(refuses(bigger, text, "another part"));
  EXPECT_TRUE(refuses(target, "FTLABS2P" + text.substr(8), "not a medium image"));
  EXPECT_TRUE(refuses(target, text.substr(0, text.size() / 2), "cut short"));
  EXPECT_TRUE(target.core.is_programmed(6, 0));
  EXPECT_FALSE(target.core.is_programmed(5, 0));
}

TEST(OneNandInspection, poked_pages_load_like_programmed_ones) {
  OneNandRig rig;
  const auto data = OneNandRig::pattern(1);
  rig.core.poke(6ULL * 512 * 1024 + 4096, data);
  std::array<std::byte, 128> spare{};
  rig.core.poke_spare(6, 1, spare);
  EXPECT_TRUE(rig.load(6, 1));
  EXPECT_EQ(rig.data(), data);
  EXPECT_EQ(rig.spare()[0], std::byte{0});
  EXPECT_FALSE(rig.program(6, 1));
  std::array<std::byte, 128> seen{};
  seen.fill(std::byte{1});
  rig.core.peek_spare(6, 1, seen);
  EXPECT_EQ(seen, spare);
}

}  // namespace
}  // namespace ftlab::hw::testing
