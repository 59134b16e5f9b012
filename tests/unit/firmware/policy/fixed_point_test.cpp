// The tables against double precision.
#include "firmware/policy/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>
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

TEST(InverseAgeFactor, is_within_1e6_of_the_power) {
  for (const std::uint64_t age : samples()) {
    const double exact = std::pow(static_cast<double>(age), -0.3);
    if (exact < 1.0 / 1024) break;
    ASSERT_NEAR(inverse_age_factor_q31(age) / 2147483648.0, exact, exact * 1e-6) << age;
  }
  EXPECT_EQ(inverse_age_factor_q31(0), inverse_age_factor_q31(1)) << "an age is at least one tick";
}

TEST(HotDegreeSum, is_the_sum_of_single_degrees_bit_for_bit) {
  std::vector<std::uint32_t> updates;
  std::vector<std::uint64_t> stamps;
  std::uint64_t sum = 0;
  constexpr std::uint64_t kNow = 54'397;
  for (std::uint32_t i = 0; i < 5245; ++i) {
    updates.push_back(i % 113);
    stamps.push_back(std::uint64_t{i} * 7919 % kNow);
    sum += hot_degree_q31(updates.back(), kNow - stamps.back());
  }
  EXPECT_EQ(hot_degree_sum_q31(updates.data(), stamps.data(), 5245, kNow), sum);
}

}  // namespace
}  // namespace ftlab::fms
