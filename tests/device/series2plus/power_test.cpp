// Supply and reset: volatile state is lost, work is left half done, the half-done state is reproducible.
#include <algorithm>

#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

std::vector<std::byte> cut_program_at(double share, std::uint64_t seed) {
  CardRig rig(part_spec("series2plus-8mb"), true, seed);
  rig.page_program(0, std::vector<std::byte>(512, std::byte{0}));
  rig.now += Ticks{static_cast<std::int64_t>(share * 256.0 * 27600.0)};
  rig.core.lose_power(rig.now);
  return rig.peek(0, 512);
}

TEST(PowerCut, leaves_a_program_done_up_to_where_it_was) {
  const auto data = cut_program_at(0.5, 1);
  EXPECT_EQ(std::count(data.begin(), data.begin() + 256, std::byte{0}), 256);
  EXPECT_EQ(std::count(data.begin() + 258, data.end(), std::byte{0xFF}), 254);
}

TEST(PowerCut, is_reproducible_by_seed) {
  EXPECT_EQ(cut_program_at(0.3, 5), cut_program_at(0.3, 5));
  EXPECT_NE(cut_program_at(0.3, 5), cut_program_at(0.3, 6)) << "the byte under way depends on the seed";
}

TEST(PowerCut, only_clears_bits_when_it_cuts_a_program) {
  CardRig rig;
  const auto before = pattern(512, 3);
  rig.core.poke(0, before);
  rig.page_program(0, pattern(512, 4));
  rig.now += std::chrono::microseconds{300};
  rig.core.lose_power(rig.now);
  const auto after = rig.peek(0, 512);
  for (std::size_t i = 0; i < 512; ++i) EXPECT_EQ(after[i] & before[i], after[i]) << i;
}

TEST(PowerCut, leaves_an_erase_neither_old_nor_erased) {
  for (const double share : {0.1, 0.5, 0.95}) {
    CardRig rig;
    const std::vector<std::byte> before(CardRig::kSegment, std::byte{0x5A});
    rig.core.poke(0, before);
    rig.erase(0);
    rig.now += Ticks{static_cast<std::int64_t>(share * 6e9)};
    rig.core.lose_power(rig.now);
    const auto after = rig.peek(0, CardRig::kSegment);
    EXPECT_NE(after, before) << share;
    EXPECT_NE(after, std::vector<std::byte>(CardRig::kSegment, std::byte{0xFF})) << share;
    EXPECT_EQ(rig.core.erase_count(0), 1U) << "the cells were stressed all the same";
    EXPECT_EQ(rig.peek16(CardRig::kSegment), 0xFFFF);
  }
}

TEST(PowerCut, of_erase_all_finishes_some_segments_and_spares_the_rest) {
  CardRig rig;
  rig.core.poke(0, std::vector<std::byte>(CardRig::kPair, std::byte{0}));
  rig.command(0, command::kEraseAllUnlocked);
  rig.command(0, command::kConfirm);
  rig.now += rig.core.spec().timing.erase * 5 / 2;
  rig.core.lose_power(rig.now);
  EXPECT_EQ(rig.peek16(CardRig::kSegment), 0xFFFF);
  EXPECT_EQ(rig.peek16(3 * CardRig::kSegment), 0);
  EXPECT_EQ(rig.core.erase_count(1), 1U);
  EXPECT_EQ(rig.core.erase_count(2), 1U);
  EXPECT_EQ(rig.core.erase_count(3), 0U);
}

TEST(PowerCut, forgets_everything_volatile) {
  CardRig rig;
  rig.command(0, command::kErase);
  rig.command(0, command::kReadArray);  // error bits
  rig.set_attribute(regs::cmr::kWriteProtection, 0);
  rig.core.lose_power(rig.now);
  std::byte byte{};
  rig.core.common().read(rig.now, 0, {&byte, 1});
  EXPECT_EQ(byte, std::byte{0xFF});
  const Ticks off = rig.now;
  rig.now += std::chrono::hours{1};
  EXPECT_EQ(rig.core.state_energy(rig.now).total(), rig.core.state_energy(off).total()) << "no supply, no energy";
  rig.core.restore_power(rig.now);
  rig.now += rig.core.spec().timing.wake;
  EXPECT_EQ(rig.csr(0), 0x8080);
  EXPECT_EQ(rig.gsr(0), 0x8686);
  EXPECT_EQ(rig.attribute(regs::cmr::kWriteProtection), 0x04);
  EXPECT_EQ(rig.attribute(regs::cmr::kVoltageControl), 0x00) << "Vpp is off after power-up";
}

TEST(PowerCut, before_an_operation_started_changes_nothing) {
  CardRig rig;
  rig.core.poke(0, pattern(512));
  rig.erase(CardRig::kSegment);
  rig.erase(0);  // queued
  rig.now += std::chrono::milliseconds{1};
  rig.core.lose_power(rig.now);
  EXPECT_EQ(rig.peek(0, 512), pattern(512));
  EXPECT_EQ(rig.core.erase_count(0), 0U);
}

TEST(ResetPin, aborts_all_pairs_and_recovers) {
  CardRig rig;
  rig.poke16(100, 0x1357);
  rig.erase(CardRig::kSegment);
  rig.erase(CardRig::kPair);
  rig.now += std::chrono::milliseconds{100};
  rig.core.reset_pin(rig.now, true);
  EXPECT_EQ(rig.observer.ended.size(), 2U);
  EXPECT_EQ(rig.read16(100), 0xFFFF);
  rig.set_attribute(regs::cmr::kWriteProtection, 0);
  EXPECT_EQ(rig.attribute(regs::cmr::kWriteProtection), 0x04) << "nothing is latched during reset";
  rig.core.reset_pin(rig.now, false);
  const Ticks awake = rig.now + rig.core.spec().timing.wake;
  EXPECT_EQ(rig.core.next_status_change(rig.now), awake);
  rig.now = awake;
  EXPECT_EQ(rig.read16(100), 0x1357);
  EXPECT_EQ(rig.csr(0), 0x8080);
}

}  // namespace
}  // namespace ftlab::hw::testing
