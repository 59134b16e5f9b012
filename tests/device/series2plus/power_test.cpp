// Supply and reset: volatile state is lost, work is left half done, the half-done state is reproducible.
#include <algorithm>

#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

std::vector<std::byte> lose_power_in_program_at(double share, std::uint64_t seed) {
  CardFixture fixture(part_spec("series2plus-8mb"), true, seed);
  fixture.page_program(0, std::vector<std::byte>(512, std::byte{0}));
  fixture.now += Ticks{static_cast<std::int64_t>(share * 256.0 * 27600.0)};
  fixture.core.lose_power(fixture.now);
  return fixture.peek(0, 512);
}

TEST(PowerLoss, leaves_a_program_done_up_to_where_it_was) {
  const auto data = lose_power_in_program_at(0.5, 1);
  EXPECT_EQ(std::count(data.begin(), data.begin() + 256, std::byte{0}), 256);
  EXPECT_EQ(std::count(data.begin() + 258, data.end(), std::byte{0xFF}), 254);
}

TEST(PowerLoss, is_reproducible_by_seed) {
  EXPECT_EQ(lose_power_in_program_at(0.3, 5), lose_power_in_program_at(0.3, 5));
  EXPECT_NE(lose_power_in_program_at(0.3, 5), lose_power_in_program_at(0.3, 6))
      << "the byte under way depends on the seed";
}

TEST(PowerLoss, only_clears_bits_when_it_interrupts_a_program) {
  CardFixture fixture;
  const auto before = pattern(512, 3);
  fixture.core.poke(0, before);
  fixture.page_program(0, pattern(512, 4));
  fixture.now += std::chrono::microseconds{300};
  fixture.core.lose_power(fixture.now);
  const auto after = fixture.peek(0, 512);
  for (std::size_t i = 0; i < 512; ++i) EXPECT_EQ(after[i] & before[i], after[i]) << i;
}

TEST(PowerLoss, leaves_an_erase_neither_old_nor_erased) {
  for (const double share : {0.1, 0.5, 0.95}) {
    CardFixture fixture;
    const std::vector<std::byte> before(CardFixture::kSegment, std::byte{0x5A});
    fixture.core.poke(0, before);
    fixture.erase(0);
    fixture.now += Ticks{static_cast<std::int64_t>(share * 6e9)};
    fixture.core.lose_power(fixture.now);
    const auto after = fixture.peek(0, CardFixture::kSegment);
    EXPECT_NE(after, before) << share;
    EXPECT_NE(after, std::vector<std::byte>(CardFixture::kSegment, std::byte{0xFF})) << share;
    EXPECT_EQ(fixture.core.erase_count(0), 1U) << "the cells were stressed all the same";
    EXPECT_EQ(fixture.peek16(CardFixture::kSegment), 0xFFFF);
  }
}

TEST(PowerLoss, of_erase_all_finishes_some_segments_and_spares_the_rest) {
  CardFixture fixture;
  fixture.core.poke(0, std::vector<std::byte>(CardFixture::kPair, std::byte{0}));
  fixture.command(0, command::kEraseAllUnlocked);
  fixture.command(0, command::kConfirm);
  fixture.now += fixture.core.spec().timing.erase * 5 / 2;
  fixture.core.lose_power(fixture.now);
  EXPECT_EQ(fixture.peek16(CardFixture::kSegment), 0xFFFF);
  EXPECT_EQ(fixture.peek16(3 * CardFixture::kSegment), 0);
  EXPECT_EQ(fixture.core.erase_count(1), 1U);
  EXPECT_EQ(fixture.core.erase_count(2), 1U);
  EXPECT_EQ(fixture.core.erase_count(3), 0U);
}

TEST(PowerLoss, forgets_everything_volatile) {
  CardFixture fixture;
  fixture.command(0, command::kErase);
  fixture.command(0, command::kReadArray);  // error bits
  fixture.set_attribute(regs::cmr::kWriteProtection, 0);
  fixture.core.lose_power(fixture.now);
  std::byte byte{};
  fixture.core.common().read(fixture.now, 0, {&byte, 1});
  EXPECT_EQ(byte, std::byte{0xFF});
  const Ticks off = fixture.now;
  fixture.now += std::chrono::hours{1};
  EXPECT_EQ(fixture.core.state_energy(fixture.now).total(), fixture.core.state_energy(off).total())
      << "no supply, no energy";
  fixture.core.restore_power(fixture.now);
  fixture.now += fixture.core.spec().timing.wake;
  EXPECT_EQ(fixture.csr(0), 0x8080);
  EXPECT_EQ(fixture.gsr(0), 0x8686);
  EXPECT_EQ(fixture.attribute(regs::cmr::kWriteProtection), 0x04);
  EXPECT_EQ(fixture.attribute(regs::cmr::kVoltageControl), 0x00) << "Vpp is off after power-up";
}

TEST(PowerLoss, before_an_operation_started_changes_nothing) {
  CardFixture fixture;
  fixture.core.poke(0, pattern(512));
  fixture.erase(CardFixture::kSegment);
  fixture.erase(0);  // queued
  fixture.now += std::chrono::milliseconds{1};
  fixture.core.lose_power(fixture.now);
  EXPECT_EQ(fixture.peek(0, 512), pattern(512));
  EXPECT_EQ(fixture.core.erase_count(0), 0U);
}

TEST(ResetPin, aborts_all_pairs_and_recovers) {
  CardFixture fixture;
  fixture.poke16(100, 0x1357);
  fixture.erase(CardFixture::kSegment);
  fixture.erase(CardFixture::kPair);
  fixture.now += std::chrono::milliseconds{100};
  fixture.core.reset_pin(fixture.now, true);
  EXPECT_EQ(fixture.observer.ended.size(), 2U);
  EXPECT_EQ(fixture.read16(100), 0xFFFF);
  fixture.set_attribute(regs::cmr::kWriteProtection, 0);
  EXPECT_EQ(fixture.attribute(regs::cmr::kWriteProtection), 0x04) << "nothing is latched during reset";
  fixture.core.reset_pin(fixture.now, false);
  const Ticks awake = fixture.now + fixture.core.spec().timing.wake;
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), awake);
  fixture.now = awake;
  EXPECT_EQ(fixture.read16(100), 0x1357);
  EXPECT_EQ(fixture.csr(0), 0x8080);
}

}  // namespace
}  // namespace ftlab::hw::testing
