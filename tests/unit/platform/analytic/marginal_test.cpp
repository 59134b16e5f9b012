// What a class loses with a segment.
#include "platform/analytic/equations/pools.h"
#include "tests/unit/platform/analytic/support.h"

namespace ftlab::analytic {
namespace {

Inputs hot_cold(std::vector<double> split) {
  return {.spare_factor = 0.1,
          .pages_per_segment = 64,
          .access = {0.9, 0.1},
          .data = {0.05, 0.95},
          .split = std::move(split)};
}

TEST(AlphaStep, is_equation_30) { EXPECT_NEAR(alpha_step(1000, 6400, 64), -0.00111111, 5e-9); }

TEST(AlphaStep, is_what_a_segment_less_does_to_a_large_pool) {
  const double segments = 1e6;
  const double valid = 0.9 * segments * 64;
  EXPECT_NEAR(alpha_step(segments, segments * 64 - valid, 64), (segments - 1) * 64 / valid - segments * 64 / valid,
              1e-12);
}

TEST(Marginal, costs_are_the_growth_of_the_write_amplification) {
  const Result before = test::ask("marginal", hot_cold({0.4, 0.6}));
  // A share of the spare space less for class 1, as a share of the data.
  constexpr double kStep = 1e-7;
  const double x = 0.1 / 0.9;
  const std::vector<double> access{0.9, 0.1};
  const std::vector<double> data{0.05, 0.95};
  const auto total = [&](double hot, double cold) {
    return divide(x, 64, {access, data}, std::vector<double>{hot, cold}).write_amplification;
  };
  const double hot = (total(0.4 - kStep, 0.6) - total(0.4 + kStep, 0.6)) / (2 * kStep * x);
  const double cold = (total(0.4, 0.6 - kStep) - total(0.4, 0.6 + kStep)) / (2 * kStep * x);
  EXPECT_NEAR(before.detail("costs")[0] / hot, 1, 1e-6);
  EXPECT_NEAR(before.detail("costs")[1] / cold, 1, 1e-6);
  EXPECT_NEAR(before.detail("write_amplification").front(), total(0.4, 0.6), 1e-12);
}

TEST(Marginal, costs_are_equal_at_the_optimum) {
  const Result best = test::ask("optimal_split", hot_cold({}));
  const Result result = test::ask("marginal", hot_cold(best.detail("split")));
  EXPECT_NEAR(result.detail("costs")[0] / result.detail("costs")[1], 1, 1e-9);
}

TEST(Marginal, class_that_has_more_than_its_best_share_gives) {
  EXPECT_EQ(test::ask("marginal", hot_cold({0.9, 0.1})).detail("class").front(), 1);
  EXPECT_EQ(test::ask("marginal", hot_cold({0.1, 0.9})).detail("class").front(), 2);
}

TEST(Marginal, class_with_nothing_spare_does_not_give) {
  Inputs inputs = hot_cold({1, 0});
  inputs.access = {1, 0};
  const Result result = test::ask("marginal", inputs);
  EXPECT_EQ(result.detail("class").front(), 1);
  EXPECT_EQ(result.value, result.detail("costs").front());
}

TEST(Marginal, one_class_loses_the_slope_of_greedy_cleaning) {
  const Inputs inputs{.spare_factor = 0.03, .pages_per_segment = 64, .access = {1}, .data = {1}, .split = {1}};
  const Result result = test::ask("marginal", inputs);
  EXPECT_NEAR(result.detail("derivatives").front(), -328.927, 0.0005);
  EXPECT_NEAR(result.value, 328.927, 0.0005);
}

}  // namespace
}  // namespace ftlab::analytic
