// Erase counts, the end of life, and segments that are bad from the factory.
#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {
namespace {

/// How a segment ends: true in an erase.
bool wear_out(ArrayFixture& fixture, std::uint32_t segment) {
  for (;;) {
    fixture.submit(make(Op::program, fixture.page(segment, 0)));
    const Status programmed = fixture.wait().status;
    if (programmed == Status::program_failed) return false;
    EXPECT_EQ(programmed, Status::ok);
    fixture.submit(make(Op::erase, fixture.page(segment, 0)));
    const Status erased = fixture.wait().status;
    if (erased == Status::erase_failed) return true;
    EXPECT_EQ(erased, Status::ok);
  }
}

TEST(ArrayWear, a_segment_fails_from_its_limit_on_in_program_or_erase) {
  ArrayFixture fixture(array_part({{"endurance.rated_cycles", "7"}}));
  std::uint32_t by_erase = 0;
  for (std::uint32_t segment = 0; segment < 64; ++segment) {
    const bool erase = wear_out(fixture, segment);
    by_erase += erase ? 1 : 0;
    EXPECT_EQ(fixture.core.endurance_limit(segment), 7U);
    EXPECT_EQ(fixture.core.erase_count(segment), erase ? 8U : 7U) << "a failed erase counts";
  }
  EXPECT_GT(by_erase, 15U);
  EXPECT_LT(by_erase, 49U);
  EXPECT_EQ(fixture.total(DeviceOpKind::erase).failed, by_erase);
  EXPECT_EQ(fixture.total(DeviceOpKind::buffer_program).failed, 64 - by_erase);
}

TEST(ArrayWear, a_worn_segment_fails_again_and_what_failed_cannot_be_read) {
  ArrayFixture fixture(array_part({{"endurance.rated_cycles", "2"}}));
  bool seen[2] = {};
  for (std::uint32_t segment = 0; segment < 16; ++segment) {
    const bool erase = wear_out(fixture, segment);
    seen[erase ? 1 : 0] = true;
    if (erase) {
      fixture.run(make(Op::read, fixture.page(segment, 0)), Status::uncorrectable);
      fixture.run(make(Op::program, fixture.page(segment, 0)), Status::illegal);
      fixture.run(make(Op::erase, fixture.page(segment, 0)), Status::erase_failed);
    } else {
      fixture.run(make(Op::read, fixture.page(segment, 0)), Status::uncorrectable);
      fixture.run(make(Op::program, fixture.page(segment, 1)), Status::program_failed);
      fixture.run(make(Op::erase, fixture.page(segment, 0)));
      fixture.run(make(Op::copy, fixture.page(60, 0), fixture.page(segment, 0)), Status::program_failed);
    }
  }
  EXPECT_TRUE(seen[0] && seen[1]);
}

TEST(ArrayWear, limits_spread_above_the_rated_cycles) {
  const ArrayCore core(array_part({{"segments", "4096"}, {"endurance.median_ratio", "3"}, {"endurance.spread", "0.4"}}),
                       {});
  std::uint32_t above_median = 0;
  for (std::uint32_t segment = 0; segment < 4096; ++segment) {
    EXPECT_GE(core.endurance_limit(segment), 1000U);
    above_median += core.endurance_limit(segment) > 3000 ? 1 : 0;
  }
  EXPECT_NEAR(above_median, 2048, 200);
}

TEST(ArrayWear, factory_bad_segments_are_a_share_drawn_by_seed_and_spare_the_first) {
  const ArraySpec spec = array_part({{"segments", "4096"}, {"bad_segments.initial_share", "0.1"}});
  const auto bad = [&](std::uint64_t seed) {
    const ArrayCore core(spec, {.seed = seed});
    std::vector<std::uint32_t> found;
    for (std::uint32_t segment = 0; segment < 4096; ++segment) {
      if (core.is_bad(segment)) found.push_back(segment);
    }
    return found;
  };
  const auto first = bad(1);
  EXPECT_NEAR(static_cast<double>(first.size()), 410, 80);
  EXPECT_EQ(first, bad(1));
  EXPECT_NE(first, bad(2));
  for (std::uint64_t seed = 1; seed < 30; ++seed) EXPECT_NE(bad(seed).front(), 0U);
}

TEST(ArrayWear, a_factory_bad_segment_says_so) {
  ArrayFixture fixture(array_part({{"bad_segments.initial_share", "0.5"}}));
  std::uint32_t segment = 0;
  while (!fixture.core.is_bad(segment)) ++segment;
  fixture.run(make(Op::check, fixture.page(segment, 0)), Status::bad_segment);
  fixture.run(make(Op::program, fixture.page(segment, 0)), Status::bad_segment);
}

}  // namespace
}  // namespace ftlab::hw::testing
