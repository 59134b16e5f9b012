// The best division of the spare space.
#include "platform/analytic/equations/split.h"

#include <boost/math/tools/minima.hpp>
#include <numeric>

#include "tests/unit/platform/analytic/support.h"

namespace ftlab::analytic {
namespace {

constexpr double kPages = 64;

double total(double x, const Classes& classes, const std::vector<double>& split) {
  return divide(x, kPages, classes, split).write_amplification;
}

TEST(OptimalSplit, beats_every_other_split_of_two_classes) {
  for (const double x : {0.02, 0.1, 0.4}) {
    for (const double hot : {0.6, 0.9, 0.99}) {
      for (const double share : {0.001, 0.05, 0.3}) {
        const std::vector<double> access{hot, 1 - hot};
        const std::vector<double> data{share, 1 - share};
        const Classes classes{access, data};
        const double best = total(x, classes, optimal_split(x, kPages, classes));
        for (int i = 0; i <= 1000; ++i)
          EXPECT_LE(best, total(x, classes, {i / 1000., 1 - i / 1000.}) * (1 + 1e-13))
              << x << " " << hot << " " << share;
      }
    }
  }
}

TEST(OptimalSplit, is_what_comparing_values_finds) {
  const std::vector<double> access{0.9, 0.1};
  const std::vector<double> data{0.05, 0.95};
  const Classes classes{access, data};
  const auto [at, value] = boost::math::tools::brent_find_minima(
      [&](double p) {
        return total(0.1, classes, {p, 1 - p});
      },
      0., 1., 40);
  const std::vector<double> split = optimal_split(0.1, kPages, classes);
  EXPECT_NEAR(split[0], at, 1e-6);
  EXPECT_NEAR(total(0.1, classes, split), value, 1e-12);
}

TEST(OptimalSplit, beats_every_other_split_of_three_classes) {
  const std::vector<double> access{0.6, 0.3, 0.1};
  const std::vector<double> data{0.02, 0.18, 0.8};
  const Classes classes{access, data};
  const double best = total(0.08, classes, optimal_split(0.08, kPages, classes));
  for (int i = 0; i <= 100; ++i) {
    for (int j = 0; i + j <= 100; ++j)
      EXPECT_LE(best, total(0.08, classes, {i / 100., j / 100., (100 - i - j) / 100.}) * (1 + 1e-13));
  }
}

TEST(OptimalSplit, equal_rates_divide_as_the_data_and_are_uniform) {
  const Inputs inputs{.spare_factor = 0.1, .pages_per_segment = 64, .access = {0.2, 0.3, 0.5}, .data = {0.2, 0.3, 0.5}};
  const Result result = test::ask("optimal_split", inputs);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(result.detail("split")[i], inputs.data[i], 1e-12);
  EXPECT_NEAR(result.value, test::value("greedy", inputs), 1e-12);
}

TEST(OptimalSplit, one_class_gets_all) {
  const Inputs inputs{.spare_factor = 0.1, .pages_per_segment = 64, .access = {1}, .data = {1}};
  const Result result = test::ask("optimal_split", inputs);
  EXPECT_EQ(result.detail("split"), std::vector<double>{1});
  EXPECT_NEAR(result.value, test::value("greedy", inputs), 1e-12);
}

TEST(OptimalSplit, does_not_depend_on_the_order_of_the_classes) {
  const Inputs hot_first{.spare_factor = 0.1, .pages_per_segment = 64, .access = {0.9, 0.1}, .data = {0.05, 0.95}};
  const Inputs cold_first{.spare_factor = 0.1, .pages_per_segment = 64, .access = {0.1, 0.9}, .data = {0.95, 0.05}};
  EXPECT_NEAR(test::ask("optimal_split", hot_first).detail("split")[0],
              test::ask("optimal_split", cold_first).detail("split")[1], 1e-12);
}

TEST(OptimalSplit, data_that_is_never_written_gets_nothing_while_it_helps_others) {
  const Inputs inputs{.spare_factor = 0.1, .pages_per_segment = 64, .access = {1, 0}, .data = {0.5, 0.5}};
  const Result result = test::ask("optimal_split", inputs);
  EXPECT_NEAR(result.detail("split")[1], 0, 1e-12);
  // All spare space is the written half's.
  const double x = 2 * 0.1 / 0.9;
  EXPECT_NEAR(result.value, test::value("greedy", {.spare_factor = x / (1 + x), .pages_per_segment = 64}), 1e-12);
}

TEST(OptimalSplit, more_spare_space_than_the_written_data_can_use_leaves_nothing_to_copy) {
  const Inputs inputs{.spare_factor = 0.3, .pages_per_segment = 64, .access = {1, 0}, .data = {0.01, 0.99}};
  const Result result = test::ask("optimal_split", inputs);
  EXPECT_EQ(result.value, 1);
  EXPECT_NEAR(std::accumulate(result.detail("split").begin(), result.detail("split").end(), 0.0), 1, 1e-12);
}

TEST(OptimalSplit, skewed_data_is_hardly_copied_at_all) {
  const Inputs inputs{
      .spare_factor = 0.1, .pages_per_segment = 64, .access = {0.9999, 0.0001}, .data = {0.0001, 0.9999}};
  EXPECT_LT(test::value("optimal_split", inputs), 1.01);
}

}  // namespace
}  // namespace ftlab::analytic
