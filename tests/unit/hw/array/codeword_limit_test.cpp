#include "hw/array/aging/codeword_limit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <vector>

#include "hw/base/random_stream.h"

namespace ftlab::hw::array {
namespace {

double choose(int n, int k) { return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)); }

TEST(CodewordLimit, of_two_codewords_is_the_binomial_sum) {
  const CodewordLimit limit(2, 10);
  for (int bits = 0; bits <= 25; ++bits) {
    double none = 0;
    for (int first = std::max(0, bits - 10); first <= std::min(bits, 10); ++first) none += choose(bits, first);
    EXPECT_NEAR(limit.none_beyond(static_cast<std::uint32_t>(bits)), none * std::pow(0.5, bits), 1e-12) << bits;
  }
}

TEST(CodewordLimit, of_one_codeword_is_a_step) {
  const CodewordLimit limit(1, 40);
  EXPECT_EQ(limit.none_beyond(40), 1);
  EXPECT_EQ(limit.none_beyond(41), 0);
  auto engine = make_stream(1, {1});
  const BeyondLimit all = limit.draw(57, engine);
  EXPECT_EQ(all.codewords, 1U);
  EXPECT_EQ(all.bits, 57U);
}

/// Codewords beyond the limit and their bits, bit by bit.
BeyondLimit thrown(std::uint32_t codewords, std::uint32_t most, std::uint32_t bits, boost::random::taus88& engine) {
  std::vector<std::uint32_t> counts(codewords);
  boost::random::uniform_int_distribution<std::size_t> place(0, codewords - 1);
  for (std::uint32_t i = 0; i < bits; ++i) ++counts[place(engine)];
  BeyondLimit found;
  for (const std::uint32_t count : counts) {
    if (count <= most) continue;
    ++found.codewords;
    found.bits += count;
  }
  return found;
}

TEST(CodewordLimit, says_how_often_bits_that_are_thrown_go_beyond_it) {
  constexpr int kThrows = 5'000;
  const CodewordLimit limit(16, 40);
  auto engine = make_stream(3, {1});
  for (const std::uint32_t bits : {320U, 380U, 420U, 460U, 520U}) {
    int none = 0;
    for (int i = 0; i < kThrows; ++i) none += thrown(16, 40, bits, engine).codewords == 0 ? 1 : 0;
    const double expected = limit.none_beyond(bits);
    const double sigma = std::sqrt(expected * (1 - expected) / kThrows);
    EXPECT_NEAR(static_cast<double>(none) / kThrows, expected, 4 * sigma + 1e-4) << bits;
  }
}

TEST(CodewordLimit, falls_with_the_bits_from_certain_to_never) {
  const CodewordLimit limit(16, 72);
  double before = 1;
  for (std::uint32_t bits = 0; bits <= 16 * 72 + 1; ++bits) {
    EXPECT_LE(limit.none_beyond(bits), before * (1 + 1e-11)) << bits;
    before = limit.none_beyond(bits);
  }
  EXPECT_EQ(limit.none_beyond(72), 1);
  EXPECT_GT(limit.none_beyond(16 * 72), 0);
  EXPECT_EQ(limit.none_beyond(16 * 72 + 1), 0);
}

TEST(CodewordLimit, draws_what_goes_beyond_as_pages_do_where_something_does) {
  constexpr int kDraws = 10'000;
  const CodewordLimit limit(4, 20);
  auto engine = make_stream(5, {1});
  constexpr std::uint32_t kBits = 66;
  std::array<double, 2> codewords{};
  std::array<double, 2> bits{};
  for (int i = 0; i < kDraws; ++i) {
    const BeyondLimit drawn = limit.draw(kBits, engine);
    ASSERT_GE(drawn.codewords, 1U);
    ASSERT_GT(drawn.bits, 20 * drawn.codewords);
    BeyondLimit page;
    while (page.codewords == 0) page = thrown(4, 20, kBits, engine);
    codewords[0] += drawn.codewords;
    codewords[1] += page.codewords;
    bits[0] += drawn.bits;
    bits[1] += page.bits;
  }
  EXPECT_NEAR(codewords[0] / kDraws, codewords[1] / kDraws, 0.03);
  EXPECT_NEAR(bits[0] / kDraws, bits[1] / kDraws, 0.7);
}

TEST(CodewordLimit, does_not_fit_where_doubles_do_not_reach) {
  EXPECT_TRUE(CodewordLimit::fits(16, 72));
  EXPECT_TRUE(CodewordLimit::fits(4, 400));
  EXPECT_FALSE(CodewordLimit::fits(128, 72));
  EXPECT_FALSE(CodewordLimit::fits(16, 1000));
}

}  // namespace
}  // namespace ftlab::hw::array
