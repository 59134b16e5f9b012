// The orders of M2 and M3, and the mean of M5.
#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>

#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

using namespace fms;

/// A hundred pages with histories, all of them victims' pages.
struct Histories : PolicyFixture {
  explicit Histories(std::uint32_t seed) : PolicyFixture(8, 31, 100) {
    boost::random::mt19937_64 random(seed);
    const auto draw = [&](std::uint64_t from, std::uint64_t to) {
      return boost::random::uniform_int_distribution<std::uint64_t>(from, to)(random);
    };
    now = 50'000;
    for (std::uint32_t lpn = 0; lpn < 100; ++lpn) {
      write(lpn, lpn, static_cast<std::uint32_t>(draw(1, 40)), draw(0, now));
      moves.push_back({lpn, 0, kReadOnly});
    }
  }
  [[nodiscard]] double degree(std::uint32_t lpn) const {
    return pages.updates(lpn) / std::pow(std::max(1.0, static_cast<double>(now - pages.stamp(lpn))), 0.3);
  }
  std::vector<PageMove> moves;
};

TEST(AgeSort, writes_the_oldest_page_first_and_the_youngest_last) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    Histories h(seed);
    h.plan(redistribute::age_sort, 1, h.moves);
    for (std::size_t i = 1; i < h.moves.size(); ++i)
      ASSERT_LE(h.pages.stamp(h.moves[i - 1].lpn), h.pages.stamp(h.moves[i].lpn));
    for (const PageMove& move : h.moves) EXPECT_EQ(move.stream, kHot);
  }
}

TEST(TimesSort, writes_the_coldest_page_first_and_the_hottest_last) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    Histories h(seed);
    h.plan(redistribute::times_sort, 1, h.moves);
    for (std::size_t i = 1; i < h.moves.size(); ++i)
      ASSERT_LE(h.degree(h.moves[i - 1].lpn), h.degree(h.moves[i].lpn) * (1 + 1e-5));
    for (const PageMove& move : h.moves) EXPECT_EQ(move.stream, kHot);
  }
}

TEST(Sorts, leave_equal_pages_in_the_order_of_their_numbers) {
  for (const RedistributionEntry* entry : {&redistribute::age_sort, &redistribute::times_sort}) {
    PolicyFixture fixture(8, 31, 10);
    std::vector<PageMove> moves;
    for (const std::uint32_t lpn : {7U, 2U, 9U, 4U}) {
      fixture.write(lpn, lpn, 3, 100);
      moves.push_back({lpn, 0, kHot});
    }
    fixture.plan(*entry, 1, moves);
    EXPECT_EQ(moves[0].lpn, 2U) << entry->name;
    EXPECT_EQ(moves[3].lpn, 9U) << entry->name;
  }
}

TEST(BlockBased, calls_hot_what_was_updated_more_often_than_the_mean_of_all_pages) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    Histories h(seed);
    double sum = 0;
    for (std::uint32_t lpn = 0; lpn < 100; ++lpn) sum += h.pages.updates(lpn);
    h.moves.resize(30);
    h.plan(redistribute::block_based, 1, h.moves);
    for (const PageMove& move : h.moves)
      EXPECT_EQ(move.stream, h.pages.updates(move.lpn) > sum / 100 ? kHot : kCold) << move.lpn;
    EXPECT_EQ(h.probe.of(Work::segment_compare), 30U) << "looks at no other page";
  }
}

TEST(BlockBased, a_page_exactly_at_the_mean_is_cold) {
  PolicyFixture fixture(8, 31, 10);
  for (std::uint32_t lpn = 0; lpn < 3; ++lpn) fixture.write(lpn, lpn, 4, 500);
  std::vector<PageMove> moves{{0, 0, kHot}};
  fixture.plan(redistribute::block_based, 1, moves);
  EXPECT_EQ(moves[0].stream, kCold);
}

TEST(SegmentBased, judges_each_of_several_victims_by_itself) {
  PolicyFixture fixture(5, 10, 20);
  for (std::uint32_t lpn = 0; lpn < 20; ++lpn) fixture.write(lpn, lpn, 1, 0);
  fixture.seal(1, 4);
  fixture.seal(2, 6);
  std::vector<PageMove> moves{{1, 0, kReadOnly, 1}, {2, 1, kReadOnly, 1}, {3, 0, kReadOnly, 2}};
  fixture.make(redistribute::segment_based).plan(fixture.view(), moves);
  EXPECT_EQ(moves[0].stream, kCold);
  EXPECT_EQ(moves[1].stream, kCold);
  EXPECT_EQ(moves[2].stream, kHot);
}

}  // namespace
}  // namespace ftlab::tests
