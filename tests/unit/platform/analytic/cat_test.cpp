// Cost/age/times between a hot and a cold pool.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/unit/platform/analytic/support.h"

namespace ftlab::analytic {
namespace {

Inputs hot_cold(double access, double data) {
  return {.spare_factor = 0.1, .pages_per_segment = 64, .access = {access}, .data = {data}};
}

TEST(CatLinear, costs_most_over_the_optimum_where_the_paper_says) {
  double worst = 0;
  double worst_access = 0;
  double worst_data = 0;
  for (int r = 50; r <= 98; r += 2) {
    for (int f = 2; f <= 50 && f < r; f += 2) {
      const Inputs inputs = hot_cold(r / 100., f / 100.);
      const double ratio = test::value("cat_linear", inputs) / test::value("optimal_split", inputs);
      EXPECT_GE(ratio, 1 - 1e-12);
      if (ratio > worst) {
        worst = ratio;
        worst_access = r / 100.;
        worst_data = f / 100.;
      }
    }
  }
  EXPECT_DOUBLE_EQ(worst_access, 0.98);
  EXPECT_DOUBLE_EQ(worst_data, 0.08);
  EXPECT_NEAR(worst, 1.088, 0.0005);
  EXPECT_NEAR(test::value("cat_linear", hot_cold(0.98, 0.08)), 1.591, 0.0005);
  EXPECT_NEAR(test::value("optimal_split", hot_cold(0.98, 0.08)), 1.463, 0.0005);
}

/// (A - 1) r A / f(L / A) of a class, as Eq. 26 to 28 have it.
double metric(const Inputs& inputs, const Result& result, std::size_t i, double (*damped)(double)) {
  const double access = i == 0 ? inputs.access[0] : 1 - inputs.access[0];
  const double data = i == 0 ? inputs.data[0] : 1 - inputs.data[0];
  const double a = result.detail("class_write_amplification")[i];
  const double length = data + result.detail("split")[i] * inputs.spare_factor / (1 - inputs.spare_factor);
  return (a - 1) * access * a / damped(length / a);
}

TEST(Cat, both_pools_are_equally_good_victims_at_the_split) {
  for (const double hot : {0.6, 0.9, 0.98}) {
    const Inputs inputs = hot_cold(hot, 0.1);
    const Result linear = test::ask("cat_linear", inputs);
    const auto age = [](double x) { return x; };
    EXPECT_NEAR(metric(inputs, linear, 0, age) / metric(inputs, linear, 1, age), 1, 1e-10);
    const Result logarithm = test::ask("cat_log2", inputs);
    const auto damped = [](double x) { return std::log2(100'000 * x); };
    EXPECT_NEAR(metric(inputs, logarithm, 0, damped) / metric(inputs, logarithm, 1, damped), 1, 1e-10);
  }
}

TEST(CatLinear, equal_rates_are_uniform) {
  const Inputs inputs = hot_cold(0.3, 0.3);
  EXPECT_NEAR(test::value("cat_linear", inputs), test::value("greedy", inputs), 1e-10);
}

TEST(CatLog2, depends_little_on_how_much_data_there_is) {
  Inputs inputs = hot_cold(0.9, 0.05);
  const double many = test::value("cat_log2", inputs);
  inputs.data_segments = 1000;
  EXPECT_NEAR(test::value("cat_log2", inputs) / many, 1, 0.05);
}

TEST(Cat, classes_without_an_equilibrium_are_refused) {
  Inputs all_hot = hot_cold(0, 0.5);
  all_hot.access = {1, 0};
  for (const char* model : {"cat_linear", "cat_log2"}) {
    EXPECT_THAT(test::refusal(model, all_hot), testing::StartsWith("access: no division of the spare space"));
    EXPECT_THAT(test::refusal(model, hot_cold(0, 0.5)), testing::StartsWith("access: no division of the spare space"));
  }
}

}  // namespace
}  // namespace ftlab::analytic
