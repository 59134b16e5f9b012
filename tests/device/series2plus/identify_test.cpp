// What software finds that takes a card for chips: their number, their size, and that each works by itself.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

constexpr std::uint32_t kMib = 1024 * 1024;
constexpr std::uint16_t kManufacturer = regs::doubled(regs::kManufacturerCode);
constexpr std::uint16_t kDevice = regs::doubled(regs::kDeviceCode);

class Identify : public ::testing::TestWithParam<const char*> {
 protected:
  bool shows_identifier(std::uint32_t address) {
    return fixture.read16(address) == kManufacturer && fixture.read16(address + 2) == kDevice;
  }
  CardFixture fixture{part_spec(GetParam())};
  const std::uint32_t capacity = fixture.core.spec().capacity_bytes();
};

TEST_P(Identify, chip_at_0_left_in_identifier_mode_is_seen_again_at_no_pair_of_4_mib) {
  fixture.command(0, command::kReadIdentifier);
  ASSERT_TRUE(shows_identifier(0));
  std::uint32_t pairs = 1;
  for (std::uint32_t base = 4 * kMib; base < capacity; base += 4 * kMib, ++pairs) {
    EXPECT_FALSE(shows_identifier(base)) << "taken for the chip at 0, at " << base / kMib << " MiB";
    fixture.command(base, command::kReadIdentifier);
    EXPECT_TRUE(shows_identifier(base)) << "no chip at " << base / kMib << " MiB";
    fixture.read_array(base);
  }
  EXPECT_TRUE(shows_identifier(0)) << "nothing else reached the chip at 0";
  EXPECT_EQ(pairs, fixture.core.spec().pairs);
}

TEST_P(Identify, data_comes_back_2_mib_a_lane_behind_the_chip_left_in_identifier_mode) {
  for (std::uint32_t address = 0; address < capacity; address += kMib) fixture.poke16(address, 0x5A00);
  fixture.command(0, command::kReadIdentifier);
  std::uint32_t first_data = kMib;
  while (first_data < capacity && fixture.read16(first_data) != 0x5A00) first_data *= 2;
  EXPECT_EQ(first_data, 4 * kMib);
}

TEST_P(Identify, every_pair_of_4_mib_erases_by_itself_and_at_the_same_time_as_the_others) {
  for (std::uint32_t base = 0; base < capacity; base += 4 * kMib) fixture.poke16(base + 100, 0x1234);
  const Ticks begin = fixture.now;
  for (std::uint32_t base = 0; base < capacity; base += 4 * kMib) {
    EXPECT_EQ(fixture.read16(base + 100), 0x1234) << "data while the pairs before erase, at " << base / kMib << " MiB";
    fixture.erase(base);
    EXPECT_EQ(fixture.csr(base), 0x0000);
  }
  fixture.finish();
  EXPECT_LT(fixture.now - begin, fixture.core.spec().timing.erase + std::chrono::microseconds{20});
  for (std::uint32_t base = 0; base < capacity; base += 4 * kMib) EXPECT_EQ(fixture.peek16(base + 100), 0xFFFF);
}

TEST_P(Identify, every_pair_of_4_mib_has_page_buffers_of_its_own) {
  for (std::uint32_t base = 0; base < capacity; base += 4 * kMib) fixture.load(base, pattern(512, base));
  for (std::uint32_t base = 0; base < capacity; base += 4 * kMib) fixture.write_buffer(base, 512);
  fixture.finish();
  for (std::uint32_t base = 0; base < capacity; base += 4 * kMib)
    EXPECT_EQ(fixture.peek(base, 512), pattern(512, base));
}

TEST_P(Identify, idle_card_draws_the_standby_current_of_two_dies_for_every_4_mib) {
  const Ticks second = std::chrono::seconds{1};
  const double before = to_joules(fixture.core.state_energy(fixture.now).standby);
  const double joules = to_joules(fixture.core.state_energy(fixture.now + second).standby) - before;
  const std::uint32_t dies = capacity / (4 * kMib) * 2;
  EXPECT_NEAR(joules, dies * 50e-6 * 5.0, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Cards, Identify,
                         ::testing::Values("series2plus-4mb", "series2plus-8mb", "series2plus-20mb", "series2plus-24mb",
                                           "series2plus-24mb-dd", "series2plus-40mb"),
                         [](const auto& card) {
                           std::string name = card.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace ftlab::hw::testing
