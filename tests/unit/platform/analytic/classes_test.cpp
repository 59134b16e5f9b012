// Classes of data that are written at different rates, mixed.
#include "platform/analytic/equations/classes.h"

#include <cmath>
#include <numeric>

#include "tests/unit/platform/analytic/support.h"

namespace ftlab::analytic {
namespace {

constexpr double kSpareFactors[] = {1e-6, 0.03, 0.11, 0.5, 0.999};

TEST(LruClasses, one_class_is_uniform) {
  for (const double spare_factor : kSpareFactors) {
    const double uniform = test::value("lru", {.spare_factor = spare_factor});
    EXPECT_NEAR(test::value("lru_classes", {.spare_factor = spare_factor, .access = {1}, .data = {1}}) / uniform, 1,
                1e-12);
  }
}

TEST(LruClasses, classes_of_equal_rates_are_uniform) {
  for (const double spare_factor : kSpareFactors) {
    const Inputs inputs{.spare_factor = spare_factor, .access = {0.2, 0.5, 0.3}, .data = {0.2, 0.5, 0.3}};
    EXPECT_NEAR(test::value("lru_classes", inputs) / test::value("lru", inputs), 1, 1e-12);
  }
}

TEST(LruClasses, two_are_hot_and_cold_data) {
  const Inputs inputs{.spare_factor = 0.11, .access = {0.9, 0.1}, .data = {0.05, 0.95}};
  EXPECT_DOUBLE_EQ(test::value("lru_classes", inputs), test::value("lru_hotcold", inputs));
}

TEST(LruClasses, dividing_a_class_changes_nothing) {
  const double whole = test::value("lru_classes", {.spare_factor = 0.1, .access = {0.8, 0.2}, .data = {0.2, 0.8}});
  const double parts = test::value(
      "lru_classes", {.spare_factor = 0.1, .access = {0.6, 0.2, 0.15, 0.05}, .data = {0.15, 0.05, 0.6, 0.2}});
  EXPECT_NEAR(parts, whole, 1e-12);
}

TEST(LruClasses, copies_satisfy_equations_17_and_19) {
  const std::vector<double> access{0.5, 0.3, 0.2, 0};
  const std::vector<double> data{0.1, 0.2, 0.3, 0.4};
  const double x = 0.1 / 0.9;
  const LruClasses lru = lru_classes(x, access, data);
  for (std::size_t i = 0; i < 3; ++i) {
    const double stays = std::exp(-access[i] / data[i] * (1 + x) / lru.write_amplification);
    EXPECT_NEAR(lru.copies[i], (lru.copies[i] + access[i]) * stays, 1e-12);
  }
  EXPECT_NEAR(1 + std::accumulate(lru.copies.begin(), lru.copies.end(), 0.0), lru.write_amplification, 1e-12);
}

TEST(LruClasses, one_hot_page_makes_victims_of_the_mean_utilization) {
  const Inputs inputs{.spare_factor = 0.1, .access = {1, 0}, .data = {1e-12, 1 - 1e-12}};
  EXPECT_NEAR(test::value("lru_classes", inputs), 10, 1e-6);
}

TEST(GreedyHotCold, equal_rates_are_uniform) {
  const Inputs inputs{.spare_factor = 0.1, .pages_per_segment = 64, .access = {0.3}, .data = {0.3}};
  EXPECT_NEAR(test::value("greedy_hotcold", inputs), test::value("greedy", inputs), 1e-12);
}

}  // namespace
}  // namespace ftlab::analytic
