// End of life: times grow with cycles, and a worn-out segment fails by status bits at its own limit.
#include <set>

#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

CardSpec short_lived(std::uint32_t rated, double median, double spread) {
  CardSpec spec = part_spec("series2plus-8mb");
  spec.endurance.rated_cycles = rated;
  spec.endurance.median_cycles = median;
  spec.endurance.spread = spread;
  return spec;
}

Ticks erase_once(CardFixture& fixture, std::uint32_t address) {
  fixture.erase(address);
  const Ticks begin = fixture.now;
  fixture.finish();
  return fixture.now - begin;
}

TEST(WearOut, erase_and_program_times_grow_linearly_with_cycles) {
  CardFixture fixture(short_lived(10, 1000, 0));
  const CardTiming& timing = fixture.core.spec().timing;
  for (int cycle = 0; cycle < 20; ++cycle) {
    const Ticks time = erase_once(fixture, 0);
    EXPECT_NEAR(to_seconds(time), to_seconds(timing.erase) * (1 + cycle / 10.0), 1e-9) << cycle;
  }
  fixture.page_program(0, pattern(512));
  EXPECT_NEAR(to_seconds(fixture.core.next_ready_edge(fixture.now) - fixture.now),
              to_seconds(timing.buffer_program_byte * 256) * (1 + 0.15 * 2), 1e-9);
}

TEST(WearOut, fails_at_the_limit_by_status_bits_after_the_timeout) {
  CardFixture fixture(short_lived(5, 5, 0));
  ASSERT_EQ(fixture.core.endurance_limit(0), 5U);
  for (int cycle = 0; cycle < 5; ++cycle) {
    erase_once(fixture, 0);
    ASSERT_EQ(fixture.csr(0), 0x8080) << cycle;
  }
  fixture.core.poke(0, pattern(4096));
  EXPECT_EQ(erase_once(fixture, 0), fixture.core.spec().timing.erase_timeout);
  EXPECT_EQ(fixture.csr(0), regs::doubled(regs::csr::kReady | regs::csr::kEraseError));
  EXPECT_EQ(fixture.gsr(0) & 0x2020, 0x2020);
  EXPECT_EQ(fixture.bsr(0) & 0x2020, 0x2020);
  EXPECT_TRUE(fixture.observer.ended.back().failed);
  EXPECT_NE(fixture.peek(0, 4096), std::vector<std::byte>(4096, std::byte{0xFF}));
}

TEST(WearOut, worn_segment_fails_programs_too_and_others_live_on) {
  CardFixture fixture(short_lived(1, 1, 0));
  erase_once(fixture, 0);
  erase_once(fixture, 0);
  fixture.command(0, command::kClearStatus);
  fixture.page_program(0, std::vector<std::byte>(512, std::byte{0}));
  fixture.finish();
  EXPECT_EQ(fixture.csr(0), regs::doubled(regs::csr::kReady | regs::csr::kWriteError));
  fixture.command(0, command::kClearStatus);
  fixture.page_program(CardFixture::kSegment, pattern(512));
  fixture.finish();
  EXPECT_EQ(fixture.csr(0), 0x8080);
}

TEST(WearOut, one_component_of_the_pair_may_fail_alone) {
  // Spread limits: the two halves of a segment wear out at different cycles.
  CardFixture fixture(short_lived(1, 4, 1.0), true, 3);
  std::uint32_t segment = 0;
  std::uint16_t status = 0x8080;
  for (; segment < 32; ++segment) {
    for (int cycle = 0; cycle < 200 && status == 0x8080; ++cycle) {
      erase_once(fixture, segment * CardFixture::kSegment);
      status = fixture.csr(0);
    }
    if (status != 0xA0A0) break;
    fixture.command(0, command::kClearStatus);
    status = 0x8080;
  }
  ASSERT_LT(segment, 32U) << "every segment lost both halves in the same cycle";
  EXPECT_TRUE(status == 0x80A0 || status == 0xA080) << status;
  EXPECT_EQ(fixture.observer.ended.back().components, 2) << "still one operation of the pair";
  EXPECT_EQ(fixture.observer.ended.size(), fixture.observer.started.size());
}

TEST(WearOut, limits_are_seeded_spread_out_and_never_below_the_rating) {
  CardFixture a(part_spec("series2plus-8mb"), true, 1);
  CardFixture again(part_spec("series2plus-8mb"), true, 1);
  CardFixture other(part_spec("series2plus-8mb"), true, 2);
  std::set<std::uint32_t> distinct;
  bool differs = false;
  for (std::uint32_t segment = 0; segment < 64; ++segment) {
    EXPECT_GE(a.core.endurance_limit(segment), 100'000U);
    EXPECT_EQ(a.core.endurance_limit(segment), again.core.endurance_limit(segment));
    differs = differs || a.core.endurance_limit(segment) != other.core.endurance_limit(segment);
    distinct.insert(a.core.endurance_limit(segment));
  }
  EXPECT_TRUE(differs);
  EXPECT_GT(distinct.size(), 60U);
}

TEST(WearOut, limits_of_a_segment_do_not_depend_on_the_size_of_the_card) {
  CardFixture small(part_spec("series2plus-4mb"));
  CardFixture large(part_spec("series2plus-24mb"));
  for (std::uint32_t segment = 0; segment < 32; ++segment) {
    EXPECT_EQ(small.core.endurance_limit(segment), large.core.endurance_limit(segment));
  }
}

}  // namespace
}  // namespace ftlab::hw::testing
