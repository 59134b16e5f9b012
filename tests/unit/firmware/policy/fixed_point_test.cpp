// The tables against double precision.
#include "firmware/policy/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace ftlab::fms {
namespace {

std::vector<std::uint64_t> samples() {
  std::vector<std::uint64_t> xs;
  for (std::uint64_t x = 1; x < 70'000; ++x) xs.push_back(x);
  for (std::uint64_t x = 70'000; x < (std::uint64_t{1} << 62); x += x / 97) xs.push_back(x);
  xs.push_back(~std::uint64_t{0});
  return xs;
}

TEST(Log2Q32, is_within_2_to_the_minus_28) {
  for (const std::uint64_t x : samples())
    ASSERT_NEAR(static_cast<double>(log2_q32(x)) / 4294967296.0, std::log2(static_cast<double>(x)), 1.0 / (1 << 28))
        << x;
}

TEST(Log2Q32, never_falls) {
  std::int64_t before = -1;
  for (const std::uint64_t x : samples()) {
    const std::int64_t value = log2_q32(x);
    ASSERT_GE(value, before) << x;
    before = value;
  }
}

/// Tables of one exponent, in memory of their own where they need some.
struct Inverse : InverseAge {
  explicit Inverse(std::uint64_t exponent) : Inverse(SharedParams{.age_exponent = exponent}) {}
  explicit Inverse(const SharedParams& shared) : memory(128) {
    Arena arena(reinterpret_cast<std::byte*>(memory.data()), memory.size() * sizeof(std::max_align_t));
    layout(arena, shared);
    used = arena.used();
  }
  std::vector<std::max_align_t> memory;
  std::size_t used = 0;
};

/// Exponents in 1 / kExponentSteps.
class Exponents : public testing::TestWithParam<std::uint64_t> {
 protected:
  [[nodiscard]] static double exponent() { return static_cast<double>(GetParam()) / kExponentSteps; }
};
INSTANTIATE_TEST_SUITE_P(Policies, Exponents, testing::Values(50'000, 299'999, 300'000, 300'001, 500'000, 1'000'000));

TEST_P(Exponents, inverse_age_is_the_power_within_the_stated_error) {
  const Inverse inverse(GetParam());
  // Straight lines between 256 points an octave.
  const double error = exponent() * (1 + exponent()) * 2e-6 + 2e-7;
  for (const std::uint64_t age : samples()) {
    const double exact = std::pow(static_cast<double>(age), -exponent());
    if (exact < 1.0 / 1024) break;
    // Two table values are rounded to 1/2^31.
    ASSERT_NEAR(inverse.of_q31(age) / 2147483648.0, exact, exact * error + 1.5 / 2147483648.0) << age;
  }
  EXPECT_EQ(inverse.of_q31(0), inverse.of_q31(1)) << "an age is at least one tick";
}

TEST_P(Exponents, inverse_age_does_not_grow_with_the_age) {
  const Inverse inverse(GetParam());
  std::uint32_t before = inverse.of_q31(1);
  for (const std::uint64_t age : samples()) {
    const std::uint32_t value = inverse.of_q31(age);
    ASSERT_LE(value, before + 16) << age << ": but for the rounding where two octaves meet";
    before = value;
  }
}

TEST_P(Exponents, logarithm_of_the_age_factor_is_that_of_the_power) {
  for (const std::uint64_t age : samples())
    ASSERT_NEAR(static_cast<double>(log2_age_factor(age, {.age_exponent = GetParam()})) / 4294967296.0,
                exponent() * std::log2(static_cast<double>(age)), 1.0 / (1 << 28))
        << age;
}

TEST(InverseAge, takes_no_memory_for_the_usual_exponent) {
  EXPECT_EQ(Inverse(kUsualExponent).used, 0U);
  EXPECT_GT(Inverse(kUsualExponent + 1).used, 0U);
}

TEST(InverseAge, computed_tables_agree_with_those_of_the_compiler) {
  const Inverse usual(kUsualExponent);
  const Inverse beside(kUsualExponent + 1);
  // A millionth in the exponent is log2(age) / 1.44e6 in the result.
  for (const std::uint64_t age : {1U, 2U, 3U, 255U, 256U, 257U, 65'535U, 65'536U}) {
    const double a = usual.of_q31(age);
    EXPECT_NEAR(beside.of_q31(age) * std::pow(static_cast<double>(age), 1e-6), a, a * 2e-8 + 2) << age;
  }
}

/// f(age) in double precision.
double factor(AgeFunction function, double age, double unit) {
  const double log = 1 + std::log2(1 + age / unit);
  return function == AgeFunction::identity ? age : function == AgeFunction::log ? log : std::floor(log);
}

class Functions : public testing::TestWithParam<AgeFunction> {};
INSTANTIATE_TEST_SUITE_P(Policies, Functions,
                         testing::Values(AgeFunction::identity, AgeFunction::log, AgeFunction::step));

TEST_P(Functions, of_a_segments_age_is_as_its_formula_says) {
  for (const std::uint64_t unit : {1U, 7U, 100U, 1'000'000U})
    for (std::uint64_t age = 1; age < 10'000'000; age = age * 5 / 4 + 1)
      ASSERT_NEAR(
          static_cast<double>(log2_age_factor(age, {.age_function = GetParam(), .age_unit = unit})) / 4294967296.0,
          std::log2(factor(GetParam(), static_cast<double>(age), static_cast<double>(unit))), 1e-7)
          << age << " in units of " << unit;
}

TEST_P(Functions, of_a_pages_age_is_as_its_formula_says) {
  for (const std::uint64_t unit : {1U, 7U, 100U, 1'000'000U}) {
    const Inverse inverse(SharedParams{.hot_function = GetParam(), .age_unit = unit});
    for (std::uint64_t age = 1; age < 10'000'000; age = age * 5 / 4 + 1) {
      const double exact = 1 / factor(GetParam(), static_cast<double>(age), static_cast<double>(unit));
      if (exact < 1.0 / 1024) break;
      ASSERT_NEAR(inverse.of_q31(age) / 2147483648.0, exact, exact * 5e-6 + 1e-9) << age << " in units of " << unit;
    }
  }
}

TEST(StepFunction, rises_where_the_age_has_doubled_and_nowhere_else) {
  std::uint64_t before = log_factor_q32(0, 100, true);
  for (std::uint64_t age = 1; age < 10'000; ++age) {
    const std::uint64_t value = log_factor_q32(age, 100, true);
    EXPECT_EQ(value != before, age == 100 || age == 300 || age == 700 || age == 1500 || age == 3100 || age == 6300)
        << age;
    before = value;
  }
}

}  // namespace
}  // namespace ftlab::fms
