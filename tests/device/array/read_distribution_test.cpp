// Reads whose time is drawn: the distribution, one stream for each die, and what keeps its tR.
// MLC: tR 50 us of an LSB page, cycles before a read 1 us, transfer 20 us.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/device/array/array_fixture.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::hw::testing {
namespace {

constexpr double kMean = 50;             ///< us
constexpr double kElse = 0.1 + 1 + 20;   ///< descriptor, command and transfer
constexpr std::uint32_t kDiePages = 96;  ///< from one die to the next

ArrayOverrides drawn(const ArrayOverrides& more = {}) {
  ArrayOverrides all{{"timing.read_distribution", "exponential"}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// What the cells take, in us.
double sensing(ArrayFixture& fixture, std::uint32_t page) {
  return static_cast<double>(fixture.run(make(Op::read, page)).count()) / 10'000 - kElse;
}

std::vector<double> sensings(ArrayFixture& fixture, std::uint32_t page, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(sensing(fixture, page));
  return times;
}

TEST(ArrayReadDistribution, constant_is_what_a_part_has_that_says_nothing) {
  ArrayFixture silent;
  ArrayFixture constant(array_part({{"timing.read_distribution", "constant"}}));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(sensing(silent, 0), kMean, 1e-9);
    EXPECT_NEAR(sensing(constant, 0), kMean, 1e-9);
  }
}

TEST(ArrayReadDistribution, exponential_has_its_mean_and_its_shares) {
  constexpr int kReads = 20'000;
  ArrayFixture fixture(array_part(drawn()));
  const std::vector<double> times = sensings(fixture, 0, kReads);
  double sum = 0;
  for (const double time : times) sum += time;
  EXPECT_NEAR(sum / kReads, kMean, 0.02 * kMean);
  for (const double means : {0.1, 1.0, 3.0}) {
    const auto longer = std::ranges::count_if(times, [&](double time) { return time > means * kMean; });
    EXPECT_NEAR(static_cast<double>(longer) / kReads, std::exp(-means), 0.01) << means;
  }
}

TEST(ArrayReadDistribution, each_die_draws_from_a_stream_of_its_own_and_each_seed_others) {
  ArrayFixture fixture(array_part(drawn()));
  ArrayFixture with_others(array_part(drawn()));
  ArrayFixture of_other_seed(array_part(drawn()), {.seed = 2});
  const std::vector<double> times = sensings(fixture, 0, 20);
  for (const double time : times) {
    EXPECT_DOUBLE_EQ(sensing(with_others, 0), time);
    EXPECT_NE(sensing(with_others, kDiePages), time) << "another die";
    EXPECT_NE(sensing(of_other_seed, 0), time);
  }
}

TEST(ArrayReadDistribution, energy_is_that_of_the_time) {
  ArrayFixture fixture(array_part(drawn()));
  const ArraySpec& spec = fixture.core.spec();
  const auto length = fixture.run(make(Op::read, 0));
  const OperationTotal& load = fixture.total(DeviceOpKind::load);
  EXPECT_EQ(load.busy, TickSum{length - us(0.1)});
  EXPECT_EQ(load.energy, energy_of(spec.power.read_uw, length - us(kElse)) + spec.power.transfer);
}

TEST(ArrayReadDistribution, what_nobody_asks_for_keeps_its_tR) {
  ArrayFixture fixture(array_part(drawn()));
  fixture.run(make(Op::program, 0));
  EXPECT_EQ(fixture.run(make(Op::check, 0)), us(0.1 + 1 + kMean));
  EXPECT_EQ(fixture.run(make(Op::copy, 0, fixture.page(1, 0))), us(0.1 + 1 + kMean + 1 + 400));
}

TEST(ArrayReadDistribution, pages_that_are_sensed_at_once_are_drawn_once) {
  const ArrayOverrides planes{
      {"planes_at_once", "2"}, {"timing.read_planes", "80 us"}, {"channel.further_read", "2 us"}};
  ArrayFixture fixture(array_part(drawn(planes)));
  ArrayFixture single(array_part(drawn(planes)));
  const std::vector<Descriptor> both{make(Op::read, 0), make(Op::read, 1)};
  const Ticks begin = fixture.now;
  fixture.submit(both);
  fixture.drain();
  const double together = static_cast<double>((fixture.now - begin).count()) / 10'000 - (0.2 + 1 + 2 + 40);
  EXPECT_NEAR(together / 80, sensing(single, 0) / kMean, 1e-3);
}

TEST(ArrayReadDistribution, what_cannot_be_drawn_is_refused) {
  const std::pair<ArrayOverrides, const char*> kCases[] = {
      {{{"timing.read_distribution", "normal"}},
       "test: timing.read_distribution: 'normal' is none of constant, exponential"},
      {drawn({{"timing.read_msb", "2.6 ms"}}), "needs a tR of at most 2.5 ms"},
      {drawn({{"read_retry.source", "test"}, {"read_retry.gain", "[0.5]"}}), "take a part without it"}};
  expect_refusals([](const ArrayOverrides& more) { return test::error_text([&] { array_part(more); }, ""); }, kCases);
}

}  // namespace
}  // namespace ftlab::hw::testing
