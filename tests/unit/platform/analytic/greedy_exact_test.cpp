// Greedy cleaning without the continuous approximation.
#include <cmath>

#include "tests/unit/platform/analytic/support.h"

namespace ftlab::analytic {
namespace {

double harmonic(double n) {
  double sum = 0;
  for (double i = n; i >= 1; --i) sum += 1 / i;
  return sum;
}

TEST(GreedyExact, satisfies_its_equation) {
  for (const std::uint64_t pages : {2U, 3U, 16U, 64U, 256U}) {
    for (const double spare_factor : {0.001, 0.03, 0.07, 0.2, 0.3}) {
      const Result exact = test::ask("greedy_exact", {.spare_factor = spare_factor, .pages_per_segment = pages});
      const auto b = static_cast<double>(pages);
      const double k = exact.detail("k").front();
      const double q = exact.detail("q").front();
      EXPECT_GE(q, 0);
      EXPECT_LT(q, 1);
      EXPECT_NEAR((b - k - q) / (b * (1 - spare_factor)), harmonic(b) - harmonic(k + 1) + (1 - q) / (k + 1), 1e-12);
      EXPECT_NEAR(exact.value, b / (b - k - q), 1e-12);
    }
  }
}

// 20,000 segments simulated page by page, of which two and a half were free or open on average.
TEST(GreedyExact, is_what_a_simulation_finds) {
  const Inputs inputs{.spare_factor = (1400 - 2.5) / (20'000 - 2.5), .pages_per_segment = 64};
  EXPECT_NEAR(test::value("greedy_exact", inputs) / 6.6239, 1, 5e-4);
}

TEST(GreedyExact, copies_nothing_where_empty_segments_are_always_at_hand) {
  const double most_full = 1 / harmonic(64);
  EXPECT_EQ(test::value("greedy_exact", {.spare_factor = 1 - most_full * 0.999, .pages_per_segment = 64}), 1);
  EXPECT_GT(test::value("greedy_exact", {.spare_factor = 1 - most_full * 1.001, .pages_per_segment = 64}), 1);
  EXPECT_EQ(test::value("greedy_exact", {.spare_factor = 0.999, .pages_per_segment = 100'000}), 1);
}

TEST(GreedyExact, single_pages_are_never_copied) {
  for (const double spare_factor : {1e-6, 0.1, 0.999})
    EXPECT_EQ(test::value("greedy_exact", {.spare_factor = spare_factor, .pages_per_segment = 1}), 1);
}

TEST(GreedyExact, almost_nothing_spare_leaves_one_invalid_page) {
  EXPECT_NEAR(test::value("greedy_exact", {.spare_factor = 1e-6, .pages_per_segment = 2}), 2, 1e-5);
  EXPECT_NEAR(test::value("greedy_exact", {.spare_factor = 1e-6, .pages_per_segment = 64}), 64, 0.01);
}

TEST(GreedyExact, large_segments_are_cleaned_as_lru_does) {
  EXPECT_NEAR(test::value("greedy_exact", {.spare_factor = 0.1, .pages_per_segment = 100'000}),
              test::value("lru", {.spare_factor = 0.1}), 1e-3);
}

TEST(GreedyExact, equation_12_comes_close) {
  for (const double spare_factor : {0.03, 0.07, 0.17}) {
    const Inputs inputs{.spare_factor = spare_factor, .pages_per_segment = 64};
    EXPECT_NEAR(test::value("greedy", inputs) / test::value("greedy_exact", inputs), 1, 0.01) << spare_factor;
  }
}

}  // namespace
}  // namespace ftlab::analytic
