// Where each redistribution sends pages.
#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <numeric>

#include "firmware/policy/aged_updates.h"
#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

using namespace fms;

TEST(EveryRedistribution, names_only_streams_it_declares) {
  for (const RedistributionEntry& redistribution : redistributions()) {
    EXPECT_GT(redistribution.help.size(), 10U) << redistribution.name;
    PolicyFixture fixture(8, 31, 62);
    fixture.seal(1, 31);
    fixture.seal(2, 1);
    for (std::uint32_t lpn = 0; lpn < 62; ++lpn) fixture.write(lpn, lpn, lpn + 1, lpn * 10);
    for (const std::uint32_t victim : {1U, 2U}) {
      std::vector<PageMove> moves;
      for (std::uint16_t i = 0; i < fixture.table.valid(victim); ++i) moves.push_back({i, i, kReadOnly});
      fixture.plan(redistribution, victim, moves);
      for (const PageMove& move : moves) EXPECT_LT(move.stream, redistribution.streams) << redistribution.name;
    }
  }
}

TEST(Sequential, keeps_slot_order_and_the_hot_stream) {
  PolicyFixture fixture(4, 31, 10);
  std::vector<PageMove> moves{{5, 0, kCold}, {3, 4, kCold}};
  fixture.plan(redistribute::sequential, 1, moves);
  EXPECT_EQ(moves[0].lpn, 5U);
  EXPECT_EQ(moves[0].stream, kHot);
  EXPECT_EQ(moves[1].stream, kHot);
}

TEST(SegmentBased, calls_a_victim_cold_when_strictly_below_the_average_utilisation) {
  // 4 data segments of 10 slots, 20 pages mapped: the average is 5 valid pages.
  PolicyFixture fixture(5, 10, 20);
  for (std::uint32_t lpn = 0; lpn < 20; ++lpn) fixture.write(lpn, lpn, 1, 0);
  std::vector<PageMove> moves{{1, 0, kReadOnly}};
  fixture.seal(1, 4);
  fixture.plan(redistribute::segment_based, 1, moves);
  EXPECT_EQ(moves[0].stream, kCold);
  fixture.seal(1, 5);
  fixture.plan(redistribute::segment_based, 1, moves);
  EXPECT_EQ(moves[0].stream, kHot);
}

TEST(FineGrained, calls_hot_what_exceeds_the_mean_hot_degree_in_double_precision) {
  boost::random::mt19937_64 random(62);
  const auto draw = [&](std::uint64_t from, std::uint64_t to) {
    return boost::random::uniform_int_distribution<std::uint64_t>(from, to)(random);
  };
  for (int round = 0; round < 200; ++round) {
    PolicyFixture fixture(8, 31, 200);
    fixture.now = draw(1000, round % 2 == 0 ? 60'000 : 1'000'000'000'000);
    const double exponent = round % 4 < 2 ? 0.3 : 0.5;
    fixture.shared.age_exponent = static_cast<std::uint64_t>(exponent * kExponentSteps);
    std::vector<double> degree(200);
    for (std::uint32_t lpn = 0; lpn < 200; ++lpn) {
      const auto updates = static_cast<std::uint32_t>(draw(1, 300));
      const std::uint64_t stamp = draw(0, fixture.now);
      fixture.write(lpn, lpn, updates, stamp);
      degree[lpn] = updates / std::pow(static_cast<double>(AgedUpdates::age_of(stamp, fixture.now)), exponent);
    }
    const double mean = std::accumulate(degree.begin(), degree.end(), 0.0) / 200;
    std::vector<PageMove> moves;
    for (std::uint32_t lpn = 0; lpn < 200; ++lpn) moves.push_back({lpn, 0, kReadOnly});
    fixture.plan(redistribute::fine_grained, 1, moves);
    for (const PageMove& move : moves) {
      if (std::abs(degree[move.lpn] / mean - 1) < 1e-5) continue;  // within the stated error of the tables
      EXPECT_EQ(move.stream, degree[move.lpn] > mean ? kHot : kCold) << "round " << round << " page " << move.lpn;
    }
    EXPECT_EQ(fixture.probe.of(Work::page_rate), 200U);
  }
}

PolicyParams with_hot_mean(std::uint64_t choice) {
  PolicyParams params;
  EXPECT_TRUE(params.set("hot_mean", choice));
  return params;
}
PolicyParams with_mean_of_victim() { return with_hot_mean(1); }
PolicyParams with_sums_by_age() { return with_hot_mean(2); }

TEST(FineGrained, sums_by_age_give_the_mean_of_all_pages_and_rate_none_but_those_of_the_victim) {
  boost::random::mt19937_64 random(7);
  const auto draw = [&](std::uint64_t from, std::uint64_t to) {
    return boost::random::uniform_int_distribution<std::uint64_t>(from, to)(random);
  };
  int hot = 0;
  for (int round = 0; round < 50; ++round) {
    PolicyFixture fixture(8, 31, 3'000);
    fixture.now = 60'000;
    for (std::uint32_t lpn = 0; lpn < 3'000; ++lpn)
      fixture.write(lpn, lpn, static_cast<std::uint32_t>(draw(1, 300)), draw(0, fixture.now));
    std::vector<PageMove> rated;
    for (std::uint32_t i = 0; i < 31; ++i) rated.push_back({static_cast<std::uint32_t>(draw(0, 2'999)), 0, kReadOnly});
    std::vector<PageMove> summed = rated;
    fixture.plan(redistribute::fine_grained, 1, rated);
    EXPECT_EQ(fixture.probe.of(Work::page_rate), 3'000U);
    fixture.plan(redistribute::fine_grained, 1, summed, with_sums_by_age());
    const std::uint64_t ages = fixture.probe.of(Work::page_rate) - 3'000 - 31;
    EXPECT_GE(ages, 64U) << "the ages are many, and all are rated";
    EXPECT_LE(ages, 1'000U);
    EXPECT_GE(fixture.probe.of(Work::segment_compare), ages);
    for (std::size_t i = 0; i < rated.size(); ++i) EXPECT_EQ(summed[i].stream, rated[i].stream) << round;
    for (const PageMove& move : rated) hot += move.stream == kHot ? 1 : 0;
  }
  EXPECT_GT(hot, 100);
  EXPECT_LT(hot, 50 * 31 - 100);
}

TEST(FineGrained, each_page_written_keeps_the_sums_where_they_are_counted) {
  PolicyFixture fixture(8, 31, 10);
  fixture.write(0, 0, 1, 500);
  const auto rated_by = [&](const PolicyParams& params) {
    const std::uint64_t before = fixture.probe.of(Work::page_rate);
    EXPECT_EQ(fixture.make(redistribute::fine_grained, params).stream_of(fixture.view(), 0), kHot);
    return fixture.probe.of(Work::page_rate) - before;
  };
  EXPECT_EQ(rated_by({}), 0U);
  EXPECT_EQ(rated_by(with_mean_of_victim()), 0U);
  EXPECT_EQ(rated_by(with_sums_by_age()), 1U);
}

TEST(FineGrained, takes_the_mean_over_the_pages_of_the_victim_when_asked_to) {
  PolicyFixture fixture(8, 31, 100);
  // Of all pages those of the victim are the hottest three.
  for (std::uint32_t lpn = 0; lpn < 100; ++lpn) fixture.write(lpn, lpn, 1, 500);
  for (const std::uint32_t lpn : {0U, 1U, 2U}) fixture.write(lpn, lpn, 10 * (lpn + 1), 500);
  std::vector<PageMove> moves{{0, 0, kReadOnly}, {1, 1, kReadOnly}, {2, 2, kReadOnly}};
  fixture.plan(redistribute::fine_grained, 1, moves);
  for (const PageMove& move : moves) EXPECT_EQ(move.stream, kHot);
  EXPECT_EQ(fixture.probe.of(Work::page_rate), 100U);
  fixture.plan(redistribute::fine_grained, 1, moves, with_mean_of_victim());
  EXPECT_EQ(moves[0].stream, kCold);
  EXPECT_EQ(moves[1].stream, kCold) << "at the mean";
  EXPECT_EQ(moves[2].stream, kHot);
  EXPECT_EQ(fixture.probe.of(Work::page_rate), 100U + 3U) << "rates no other pages";
}

TEST(FineGrained, a_page_exactly_at_the_mean_is_cold) {
  PolicyFixture fixture(8, 31, 3);
  for (std::uint32_t lpn = 0; lpn < 3; ++lpn) fixture.write(lpn, lpn, 4, 500);
  std::vector<PageMove> moves{{0, 0, kHot}, {2, 1, kHot}};
  fixture.plan(redistribute::fine_grained, 1, moves);
  EXPECT_EQ(moves[0].stream, kCold);
  EXPECT_EQ(moves[1].stream, kCold);
}

TEST(FineGrained, pages_that_are_not_mapped_do_not_lower_the_mean) {
  PolicyFixture fixture(8, 31, 1000);
  fixture.write(0, 0, 4, 500);
  fixture.write(1, 1, 4, 500);
  std::vector<PageMove> moves{{0, 0, kHot}};
  fixture.plan(redistribute::fine_grained, 1, moves);
  EXPECT_EQ(moves[0].stream, kCold);
}

}  // namespace
}  // namespace ftlab::tests
