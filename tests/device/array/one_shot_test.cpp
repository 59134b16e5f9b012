// Programs that take all pages of a wordline, of all planes that work as one, by schedules computed by hand.
// MLC on two planes: tR 50 / 75 us of one plane, 80 of both, 40 of a part of a page; tPROG 1000 us; tBERS 3000 us;
// transfer of a page of 2048 bytes 20 us; cycles before: read 1 us and .5 for the other plane, program 2 and .7 for
// each further page, erase 3, output .3 and .6 for the other plane.
#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {
namespace {

constexpr double kFetched = 0.1;  ///< a descriptor, us

ArrayOverrides one_shot() {
  return {{"planes_at_once", "2"},
          {"one_shot_pages", "2"},
          {"wordline_pages", "1"},
          {"timing.program", "1 ms"},
          {"timing.read_planes", "80 us"},
          {"timing.read_part", "40 us"},
          {"channel.program_command", "2 us"},
          {"channel.erase_command", "3 us"},
          {"channel.further_read", "0.5 us"},
          {"channel.further_load", "0.7 us"},
          {"channel.output", "0.3 us"},
          {"channel.further_output", "0.6 us"},
          {"power.further_plane", "0.5"},
          {"errors.codeword_bytes", "512"},
          {"content", "tag"}};
}

class ArrayOneShot : public ::testing::Test {
 protected:
  ArrayOneShot() : ArrayOneShot(array_part(one_shot())) {}
  explicit ArrayOneShot(const ArraySpec& spec) : fixture(spec) {}

  /// When the last of a burst has ended, in us from now.
  double end_of(Op op, std::initializer_list<std::uint32_t> pages) {
    const Ticks begin = fixture.now;
    std::vector<Descriptor> burst;
    for (const std::uint32_t page : pages) burst.push_back(make(op, page));
    fixture.submit(burst);
    Ticks end = begin;
    for (Completion c = fixture.wait(); c.op != Op::none; c = fixture.wait()) {
      EXPECT_EQ(c.status, Status::ok) << c.page;
      end = fixture.now;
    }
    return static_cast<double>((end - begin).count()) / 10'000;
  }

  ArrayFixture fixture;
};

TEST_F(ArrayOneShot, planes_that_work_as_one_are_one_with_segments_of_both) {
  EXPECT_EQ(fixture.read16(array::reg::kPlanes), 1);
  EXPECT_EQ(fixture.read32(array::reg::kSegments), 32U);
  EXPECT_EQ(fixture.read32(array::reg::kPagesPerSegment), 12U);
  EXPECT_EQ(fixture.read16(array::reg::kPagesAtOnce), 4);
  EXPECT_EQ(fixture.read16(array::reg::kLsbEvery), 0) << "no page of a wordline is programmed alone";
}

TEST_F(ArrayOneShot, a_wordline_of_both_planes_is_programmed_at_once) {
  EXPECT_DOUBLE_EQ(end_of(Op::program, {0, 1, 2, 3}), 4 * kFetched + 2 + 4 * 20 + 3 * 0.7 + 1000);
  EXPECT_EQ(fixture.total(DeviceOpKind::buffer_program).operations, 1U);
  EXPECT_EQ(fixture.total(DeviceOpKind::buffer_program).bytes, 8192U);
}

TEST_F(ArrayOneShot, pages_of_one_type_are_sensed_at_once_in_both_planes) {
  (void)end_of(Op::program, {0, 1, 2, 3});
  EXPECT_DOUBLE_EQ(end_of(Op::read, {0}), kFetched + 1 + 50 + 0.3 + 20);
  EXPECT_DOUBLE_EQ(end_of(Op::read, {3}), kFetched + 1 + 75 + 0.3 + 20);
  EXPECT_DOUBLE_EQ(end_of(Op::read, {0, 1}), 2 * kFetched + 1 + 80.5 + 0.9 + 40);
  const double first = 2 * kFetched + 1 + 80.5 + 0.9 + 40;
  EXPECT_DOUBLE_EQ(end_of(Op::read, {0, 1, 2}), first + 1 + 75 + 0.3 + 20) << "of the other type by themselves";
  EXPECT_EQ(fixture.total(DeviceOpKind::load).operations, 5U);
}

TEST_F(ArrayOneShot, an_erase_has_cycles_of_its_own) { EXPECT_DOUBLE_EQ(end_of(Op::erase, {0}), kFetched + 3 + 3000); }

TEST_F(ArrayOneShot, each_further_plane_adds_its_share_of_power) {
  (void)end_of(Op::program, {0, 1, 2, 3});
  const ArraySpec& spec = fixture.core.spec();
  const double cells = 1.5 * static_cast<double>(energy_of(spec.power.program_uw, us(1000)).count());
  const double bus = 4 * static_cast<double>(spec.power.transfer.count());
  EXPECT_NEAR(static_cast<double>(fixture.total(DeviceOpKind::buffer_program).energy.count()), cells + bus, 1000);
  (void)end_of(Op::read, {0, 1});
  const double sensed = 1.5 * static_cast<double>(energy_of(spec.power.read_uw, us(80)).count());
  EXPECT_NEAR(static_cast<double>(fixture.total(DeviceOpKind::load).energy.count()), sensed + bus / 2, 100);
}

TEST_F(ArrayOneShot, power_lost_in_a_program_takes_the_wordline_and_no_other) {
  (void)end_of(Op::program, {0, 1, 2, 3});
  for (const std::uint32_t page : {4U, 5U, 6U, 7U}) fixture.submit(make(Op::program, page));
  fixture.power_cycle(us(500));
  EXPECT_EQ(fixture.core.next_page(0), 8U);
  for (std::uint32_t page = 0; page < 8; ++page) EXPECT_EQ(fixture.core.is_readable(page), page < 4) << page;
}

TEST_F(ArrayOneShot, no_segment_is_filled_with_lsb_pages_alone) {
  (void)end_of(Op::program, {0, 1, 2, 3});
  fixture.run(make(Op::program, 8), Status::illegal);
}

class ArrayOneShotInUnits : public ArrayOneShot {
 protected:
  static ArraySpec in_quarters() {
    std::string reason;
    return in_units(array_part(one_shot()), 512, reason).value();
  }
  ArrayOneShotInUnits() : ArrayOneShot(in_quarters()) {
    for (std::uint32_t page = 0; page < 16; ++page) fixture.submit(make(Op::program, page));
    fixture.drain();
  }
};

TEST_F(ArrayOneShotInUnits, a_part_of_a_page_is_sensed_in_its_time_and_crosses_alone) {
  EXPECT_EQ(fixture.read16(array::reg::kPagesAtOnce), 16);
  EXPECT_DOUBLE_EQ(end_of(Op::read, {2}), kFetched + 1 + 40 + 0.3 + 5);
  EXPECT_DOUBLE_EQ(end_of(Op::read, {8, 9, 10, 11}), 4 * kFetched + 1 + 75 + 0.3 + 20) << "a whole page";
  EXPECT_DOUBLE_EQ(end_of(Op::read, {3, 4}), 2 * kFetched + 1 + 80.5 + 0.9 + 10) << "of both planes";
}

TEST_F(ArrayOneShotInUnits, programs_cross_with_the_cycles_of_pages_not_of_units) {
  const Ticks begin = fixture.now;
  for (std::uint32_t page = 16; page < 32; ++page) fixture.submit(make(Op::program, page));
  fixture.drain();
  EXPECT_EQ(fixture.now - begin, us(16 * kFetched + 2 + 80 + 3 * 0.7 + 1000));
}

TEST(ArrayPlanesAtOnce, the_weakest_block_decides_how_long_a_segment_lives) {
  const auto mean_limit = [](const char* planes_at_once, std::uint32_t* bad) {
    const ArrayCore core(array_part({{"planes", "4"},
                                     {"planes_at_once", planes_at_once},
                                     {"segments", "16000"},
                                     {"endurance.median_ratio", "2"},
                                     {"endurance.spread", "0.5"},
                                     {"bad_segments.initial_share", "0.05"}}),
                         {});
    double sum = 0;
    for (std::uint32_t i = 0; i < core.spec().segments; ++i) {
      sum += core.endurance_limit(i) - 1000.0;
      *bad += core.is_bad(i) ? 1 : 0;
    }
    return sum / core.spec().segments;
  };
  std::uint32_t bad_apart = 0;
  std::uint32_t bad_together = 0;
  const double apart = mean_limit("1", &bad_apart);
  const double together = mean_limit("4", &bad_together);
  EXPECT_NEAR(apart, 1000 * 1.133, 25) << "exp(spread^2 / 2)";
  // The mean of the least of four, by numerical integration of the fourth power of the survival function.
  EXPECT_NEAR(together, 1000 * 0.6345, 25);
  EXPECT_NEAR(bad_apart / 16000.0, 0.05, 0.006);
  EXPECT_NEAR(bad_together / 4000.0, 1 - 0.95 * 0.95 * 0.95 * 0.95, 0.02);
}

}  // namespace
}  // namespace ftlab::hw::testing
