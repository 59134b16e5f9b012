// LRU and greedy cleaning with uniform writes.
#include "platform/analytic/equations/uniform.h"

#include <cmath>

#include "platform/analytic/equations/pools.h"
#include "tests/unit/platform/analytic/support.h"

namespace ftlab::analytic {
namespace {

TEST(Surplus, is_undone_by_its_inverse_at_any_size) {
  for (const double x : {1e-300, 1e-12, 1e-9, 1e-6, 1e-4, 0.01, 0.0149, 0.0151, 0.1, 1., 10., 1e3, 1e15}) {
    const double t = surplus_inverse(x);
    EXPECT_NEAR(surplus(t) / x, 1, 1e-14) << x;
  }
}

TEST(Surplus, series_and_closed_form_meet) {
  const double below = std::nextafter(0.03, 0);
  EXPECT_NEAR(surplus(below) / surplus(0.03), 1, 1e-13);
  EXPECT_NEAR(exp_beyond_linear(below) / exp_beyond_linear(0.03), 1, 1e-13);
}

TEST(ExpBeyondLinear, is_undone_by_its_inverse_at_any_size) {
  for (const double value : {1e-300, 1e-12, 1e-6, 0.01, 0.5, 1.99, 2., 10., 1e6, 1e300})
    EXPECT_NEAR(exp_beyond_linear(exp_beyond_linear_inverse(value)) / value, 1, 1e-13) << value;
  EXPECT_EQ(exp_beyond_linear_inverse(0), 0);
}

TEST(Lru, satisfies_equation_2) {
  for (const double spare_factor : {1e-6, 0.01, 0.1, 0.5, 0.9, 0.999}) {
    const Result lru = test::ask("lru", {.spare_factor = spare_factor});
    const double t = lru.detail("t").front();
    EXPECT_NEAR(-1 / std::expm1(-t), lru.detail("alpha").front() / t, 1e-9 * lru.value) << spare_factor;
  }
}

TEST(Lru, almost_nothing_spare_costs_the_reciprocal_of_twice_the_spare_factor) {
  for (const double spare_factor : {1e-6, 1e-9, 1e-12})
    EXPECT_NEAR(test::value("lru", {.spare_factor = spare_factor}) * 2 * spare_factor, 1, spare_factor);
}

TEST(Greedy, equation_15_makes_it_of_lru) {
  const double c = continuity_factor(64);
  const double alpha = 1 / 0.9;
  const double lru = test::value("lru", {.spare_factor = 1 - 1 / (c * alpha)});
  EXPECT_NEAR(test::value("greedy", {.spare_factor = 0.1, .pages_per_segment = 64}), lru / c, 1e-12);
}

TEST(Greedy, large_segments_are_cleaned_as_lru_does) {
  EXPECT_NEAR(test::value("greedy", {.spare_factor = 0.1, .pages_per_segment = 1'000'000}),
              test::value("lru", {.spare_factor = 0.1}), 1e-4);
}

TEST(Greedy, equation_12_makes_the_value_of_x0) {
  const Result greedy = test::ask("greedy", {.spare_factor = 0.1, .pages_per_segment = 64});
  EXPECT_NEAR(64 / (64 - (greedy.detail("x0").front() - 1)), greedy.value, 1e-12);
}

TEST(Greedy, equation_29_is_the_slope) {
  for (const double pages : {2., 16., 64., 256., 100'000.}) {
    for (const double x : {0.03, 0.1, 0.3, 0.55}) {
      constexpr double kStep = 1e-6;
      const double slope =
          (greedy(x + kStep, pages).write_amplification - greedy(x - kStep, pages).write_amplification) / (2 * kStep);
      EXPECT_NEAR(greedy(x, pages).derivative / slope, 1, 1e-7) << pages << " " << x;
    }
  }
}

TEST(Greedy, ends_where_victims_are_empty_or_full) {
  for (const std::uint64_t pages : {2U, 3U, 64U, 100'000U}) {
    const double n = static_cast<double>(pages);
    const double most = needless_over_provisioning(n);
    const auto spare = [](double x) { return x / (1 + x); };
    EXPECT_NEAR(test::value("greedy", {.spare_factor = spare(most * (1 - 1e-12)), .pages_per_segment = pages}), 1,
                1e-9);
    EXPECT_NE(test::refusal("greedy", {.spare_factor = spare(most * (1 + 1e-9)), .pages_per_segment = pages}),
              "no refusal");
    const double least = n * -std::log1p(-1 / (n + 0.5)) - 1;
    if (pages > 1000) continue;  // too close to 1 for what follows
    EXPECT_NEAR(test::value("greedy", {.spare_factor = spare(least * (1 + 1e-9)), .pages_per_segment = pages}) / n, 1,
                1e-6);
    EXPECT_NE(test::refusal("greedy", {.spare_factor = spare(least * (1 - 1e-6)), .pages_per_segment = pages}),
              "no refusal");
  }
}

}  // namespace
}  // namespace ftlab::analytic
