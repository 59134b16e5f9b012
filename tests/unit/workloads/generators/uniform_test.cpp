#include "workloads/generators/uniform.h"

#include <gmock/gmock.h>

#include <boost/math/distributions/chi_squared.hpp>

namespace ftlab::workloads {
namespace {

TEST(Uniform, draws_every_slot_equally_often) {
  constexpr std::uint32_t kSlots = 50;
  constexpr std::size_t kDraws = 50'000;
  const SlotSet slots{kSlots, {}};
  const auto pattern = make_uniform(slots, {}, 0, 1);
  std::vector<std::uint32_t> drawn(kDraws);
  pattern->draw(drawn);
  std::vector<double> count(kSlots);
  for (const std::uint32_t slot : drawn) ++count.at(slot);
  double statistic = 0;
  constexpr double kExpected = static_cast<double>(kDraws) / kSlots;
  for (const double n : count) statistic += (n - kExpected) * (n - kExpected) / kExpected;
  // Neither lopsided nor too even to be random.
  const double p = cdf(boost::math::chi_squared(kSlots - 1), statistic);
  EXPECT_GT(p, 0.001);
  EXPECT_LT(p, 0.999);
}

TEST(Uniform, sequence_does_not_depend_on_how_it_is_split) {
  const SlotSet slots{1000, {}};
  const auto whole = make_uniform(slots, {}, 0, 7);
  const auto split = make_uniform(slots, {}, 0, 7);
  std::vector<std::uint32_t> a(10);
  std::vector<std::uint32_t> b(10);
  whole->draw(a);
  split->draw(std::span(b).first(3));
  split->draw(std::span(b).subspan(3));
  EXPECT_EQ(a, b);
}

// The same numbers on every machine and compiler: results published with a seed can be had again.
TEST(Uniform, sequence_of_a_seed_is_fixed_for_all_time) {
  const SlotSet slots{1000, {}};
  const auto pattern = make_uniform(slots, {}, 0, 1);
  std::array<std::uint32_t, 6> drawn{};
  pattern->draw(drawn);
  EXPECT_THAT(drawn, testing::ElementsAre(133, 136, 451, 21, 350, 911));
}

}  // namespace
}  // namespace ftlab::workloads
