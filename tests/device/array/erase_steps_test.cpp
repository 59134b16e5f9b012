// Erases in steps: as many as measured, drawn for each segment, and the time that they take.
#include "hw/array/aging/wear.h"
#include "tests/device/array/aero_table.h"
#include "tests/device/array/array_fixture.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::hw::testing {
namespace {

double mean_ms(const ArrayCore& core, std::uint32_t cycles) {
  const array::EraseSteps steps(core.spec(), 1);
  double sum = 0;
  for (std::uint32_t segment = 0; segment < core.spec().segments; ++segment)
    sum += to_seconds(steps.time(segment, cycles)) * 1e3;
  return sum / core.spec().segments;
}

TEST(ArrayEraseSteps, means_over_many_segments_are_those_of_the_table) {
  const ArrayCore core(array_part(aero_table({{"segments", "65536"}})), {});
  const std::pair<std::uint32_t, double> rows[] = {{0, 3.50},     {500, 3.78},   {1000, 4.49},  {1500, 7.17},
                                                   {2000, 8.75},  {2500, 9.77},  {3000, 10.96}, {3500, 12.67},
                                                   {4000, 14.24}, {4500, 15.61}, {5000, 16.77}};
  for (const auto& [cycles, published] : rows) {
    EXPECT_NEAR(to_seconds(core.spec().erase_steps.mean(cycles)) * 1e3, published, 0.006) << cycles;
    EXPECT_NEAR(mean_ms(core, cycles), published, 0.06) << cycles;
  }
  EXPECT_NEAR(mean_ms(core, 2250), (8.75 + 9.77) / 2, 0.06) << "between two rows";
  EXPECT_EQ(mean_ms(core, 100'000), mean_ms(core, 5000)) << "behind the last one";
}

TEST(ArrayEraseSteps, of_blocks_that_work_as_one_the_hardest_decides) {
  const ArrayCore core(array_part(aero_table({{"planes", "4"}, {"planes_at_once", "4"}, {"segments", "131072"}})), {});
  // Shares of .25, .45, .22 and .08 need two to five steps: the most of four needs 4.04.
  EXPECT_NEAR(mean_ms(core, 3000), 3.5 * (2 * 0.0039 + 3 * 0.2362 + 4 * 0.4763 + 5 * 0.2836), 0.06);
}

TEST(ArrayEraseSteps, a_segment_keeps_its_place_and_needs_no_fewer_as_it_wears) {
  const ArraySpec spec = array_part(aero_table());
  const array::EraseSteps steps(spec, 1);
  const array::EraseSteps again(spec, 1);
  const array::EraseSteps others(spec, 2);
  bool differs = false;
  for (std::uint32_t segment = 0; segment < spec.segments; ++segment) {
    std::uint32_t before = 1;
    for (std::uint32_t cycles = 0; cycles <= 5000; cycles += 250) {
      const std::uint32_t now = steps.steps(segment, cycles);
      EXPECT_GE(now, before) << segment << " at " << cycles;
      EXPECT_EQ(now, again.steps(segment, cycles));
      differs = differs || now != others.steps(segment, cycles);
      before = now;
    }
  }
  EXPECT_TRUE(differs) << "by seed";
}

TEST(ArrayEraseSteps, an_erase_takes_its_steps_and_their_energy) {
  ArrayFixture fixture(array_part(aero_table({{"endurance.rated_cycles", "5000"}})));
  const array::EraseSteps steps(fixture.core.spec(), 1);
  for (std::uint32_t segment = 0; segment < 8; ++segment) {
    fixture.core.set_erase_count(segment, 3000);
    const Ticks cells = us(3500) * std::int64_t{steps.steps(segment, 3000)};
    const Picojoules before = fixture.total(DeviceOpKind::erase).energy;
    EXPECT_EQ(fixture.run(make(Op::erase, fixture.page(segment, 0))), us(0.1) + us(1) + cells);
    EXPECT_EQ(fixture.total(DeviceOpKind::erase).energy - before, energy_of(fixture.core.spec().power.erase_uw, cells));
  }
}

TEST(ArrayEraseSteps, variation_makes_them_longer_or_shorter_too) {
  const auto time = [](const char* variation) {
    const ArrayCore core(array_part(aero_table({{"variation.segment", variation}})), {});
    array::SegmentTable segments(core.spec());
    return array::Wear(core.spec(), 1, segments).erase_time(5, 0);
  };
  EXPECT_EQ(time("0"), us(3500));
  EXPECT_NE(time("0.1"), us(3500));
  EXPECT_NEAR(to_seconds(time("0.1")), 3.5e-3, 1.5e-3);
}

TEST(ArrayEraseSteps, an_erase_that_power_loss_undoes_is_taken_off_with_its_steps) {
  ArrayFixture fixture(array_part(aero_table()));
  const TickSum before = fixture.total(DeviceOpKind::erase).busy;
  fixture.core.set_erase_count(0, 999);
  fixture.core.set_erase_count(8, 999);
  const std::vector<Descriptor> both = {make(Op::erase, fixture.page(0, 0)), make(Op::erase, fixture.page(0, 0))};
  fixture.submit(both);
  fixture.power_cycle(us(2000));
  EXPECT_EQ(fixture.total(DeviceOpKind::erase).busy - before, us(2000 - 0.1));
  EXPECT_EQ(fixture.total(DeviceOpKind::erase).torn, 1U);
  EXPECT_EQ(fixture.core.erase_count(0), 1000U);
}

std::string refusal(const ArrayOverrides& more) {
  return test::error_text([&] { array_part(aero_table(more)); }, "");
}

TEST(ArrayEraseSteps, tables_that_no_part_has_are_refused_with_their_key) {
  const std::pair<ArrayOverrides, const char*> cases[] = {
      {{{"endurance.erase_growth", "0.5"}}, "given together with erase_steps"},
      {{{"timing.erase", "5"}}, "set it to \"3.500000 ms\""},
      {{{"erase_steps.cycles", "[0, 500]"}}, "one for each of erase_steps.cycles"},
      {{{"erase_steps.cycles", "[1, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000]"}}, "begin with 0"},
      {{{"erase_steps.cycles", "[0, 500, 500, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000]"}}, "go up"},
      {{{"erase_steps.share_1", "[1, 0.5, 0.76, 0.16, 0, 0, 0, 0, 0, 0, 0]"}}, "row 2"},
      {{{"erase_steps.step", "25"}, {"timing.erase", "25"}}, "at most 100 ms"},
      {{{"erase_steps.steps", "1"}}, "erase_steps.steps"},
      {{{"erase_steps.source", "\"\""}}, "where the table comes from"}};
  expect_refusals(refusal, cases);
}

}  // namespace
}  // namespace ftlab::hw::testing
