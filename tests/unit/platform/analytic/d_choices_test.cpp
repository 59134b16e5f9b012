// The best of d random segments.
#include <algorithm>
#include <cmath>

#include "tests/unit/platform/analytic/support.h"

namespace ftlab::analytic {
namespace {

/// The model's differential equation followed until nothing moves: a way to its fixed point that shares no step with
/// the model's.
double followed(double b, double rho, double d) {
  const auto n = static_cast<std::size_t>(b);
  std::vector<double> m(n + 2, 0.0);
  m[n] = rho;
  m[0] = 1 - rho;
  double freed = 0;
  for (int step = 0; step < 200'000; ++step) {
    std::vector<double> at_least(n + 2, 0.0);
    for (std::size_t i = n + 1; i-- > 0;) at_least[i] = at_least[i + 1] + m[i];
    std::vector<double> chosen(n + 1);
    freed = 0;
    for (std::size_t i = 0; i <= n; ++i) {
      chosen[i] = std::pow(at_least[i], d) - std::pow(at_least[i + 1], d);
      freed += (b - static_cast<double>(i)) * chosen[i];
    }
    std::vector<double> next = m;
    for (std::size_t i = 0; i <= n; ++i) {
      const auto pages = static_cast<double>(i);
      const double moved = freed / (b * rho) * ((pages + 1) * m[i + 1] - pages * m[i]);
      next[i] += 0.01 * ((i == n ? 1 : 0) - chosen[i] + moved);
    }
    m = next;
  }
  return b / freed;
}

TEST(DChoices, fixed_point_is_where_the_differential_equation_ends) {
  EXPECT_NEAR(test::value("d_choices", {.spare_factor = 0.2, .pages_per_segment = 8, .d = 3}), followed(8, 0.8, 3),
              1e-9);
  EXPECT_NEAR(test::value("d_choices", {.spare_factor = 0.1, .pages_per_segment = 4, .d = 10}), followed(4, 0.9, 10),
              1e-9);
}

TEST(DChoices, ten_of_segments_with_64_pages) {
  EXPECT_NEAR(test::value("d_choices", {.spare_factor = 0.07, .pages_per_segment = 64, .d = 10}), 6.894, 0.0005);
}

// 20,000 segments simulated page by page, of which two and a half were free or open on average.
TEST(DChoices, is_what_a_simulation_finds) {
  const Inputs inputs{.spare_factor = (1400 - 2.5) / (20'000 - 2.5), .pages_per_segment = 64, .d = 10};
  EXPECT_NEAR(test::value("d_choices", inputs) / 6.9023, 1, 5e-4);
}

TEST(DChoices, without_a_choice_victims_are_as_full_as_the_device) {
  for (const double spare_factor : {1e-6, 0.07, 0.999})
    EXPECT_NEAR(
        test::value("d_choices", {.spare_factor = spare_factor, .pages_per_segment = 64, .d = 1}) * spare_factor, 1,
        1e-12);
}

TEST(DChoices, segments_of_one_page_have_a_closed_form) {
  EXPECT_NEAR(test::value("d_choices", {.spare_factor = 0.1, .pages_per_segment = 1, .d = 4}),
              1 / (1 - std::pow(0.9, 4)), 1e-12);
}

TEST(DChoices, more_choices_write_less_and_very_many_are_greedy) {
  for (const std::uint64_t pages : {1U, 2U, 64U, 1000U}) {
    for (const double spare_factor : {0.001, 0.07, 0.3, 0.8}) {
      Inputs inputs{.spare_factor = spare_factor, .pages_per_segment = pages, .d = 1};
      double before = test::value("d_choices", inputs);
      for (inputs.d = 2; inputs.d <= 1024; inputs.d *= 2) {
        const double now = test::value("d_choices", inputs);
        EXPECT_LE(now, before * (1 + 1e-12));
        before = now;
      }
      inputs.d = 1'000'000'000;
      EXPECT_NEAR(test::value("d_choices", inputs) / test::value("greedy_exact", inputs), 1, 1e-5)
          << pages << " " << spare_factor;
    }
  }
}

}  // namespace
}  // namespace ftlab::analytic
