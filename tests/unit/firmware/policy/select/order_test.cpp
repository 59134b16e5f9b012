// Selections by the order of events: fifo, and cost-benefit by the age of the last invalidation.
#include <gtest/gtest.h>

#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

using namespace fms;

TEST(Fifo, takes_what_was_taken_into_use_first_whatever_it_holds) {
  PolicyFixture fixture(6, 31, 10);
  for (const std::uint32_t s : {1U, 2U, 3U}) fixture.seal(s, s == 2 ? 30 : 1, 0, 9 - s);
  fixture.table.record(1).opened_sequence = 12;
  fixture.table.record(2).opened_sequence = 11;
  fixture.table.record(3).opened_sequence = 13;
  EXPECT_EQ(fixture.pick(select::fifo), 2U);
  EXPECT_EQ(fixture.probe.of(Work::segment_compare), 3U);
  EXPECT_EQ(fixture.probe.of(Work::segment_score), 0U);
}

/// Five full segments, segment n taken into use as the n-th, with fewer valid pages the younger it is.
struct Window : PolicyFixture {
  Window() : PolicyFixture(11, 31, 10) {
    for (const std::uint32_t s : {1U, 2U, 3U, 4U, 5U}) {
      seal(s, 20 - s);
      table.record(s).opened_sequence = s;
    }
  }
  std::optional<std::uint32_t> pick_of(std::uint64_t tenths) {
    EXPECT_TRUE(params.set("window", tenths * 100'000));
    return pick(select::windowed_greedy, params);
  }
  PolicyParams params;
};

TEST(WindowedGreedy, takes_the_fewest_valid_pages_of_so_many_oldest_segments_as_the_share_comes_to) {
  Window fixture;
  EXPECT_EQ(fixture.pick_of(1), 1U) << "of ten data segments one, as fifo";
  EXPECT_EQ(fixture.pick_of(2), 2U);
  EXPECT_EQ(fixture.pick_of(4), 4U);
  EXPECT_EQ(fixture.pick_of(10), 5U) << "as greedy";
  fixture.seal(2, 3);
  EXPECT_EQ(fixture.pick_of(4), 2U);
}

TEST(WindowedGreedy, looks_behind_segments_that_bring_nothing) {
  Window fixture;
  fixture.seal(1, 31);
  EXPECT_EQ(fixture.pick_of(1), 2U);
}

struct LastInvalidation : PolicyFixture {
  LastInvalidation() : PolicyFixture(6, 31, 10) {
    EXPECT_TRUE(params.set("benefit_age", 1));
    seal(1, 21, 100);
    seal(2, 21, 200);
  }
  void invalidate(std::uint32_t segment, std::uint64_t at) {
    now = at;
    table.drop_valid(segment);
  }
  PolicyParams params;
};

TEST(CostBenefit, counts_age_from_the_last_invalidation_when_asked_to) {
  LastInvalidation fixture;
  EXPECT_EQ(fixture.pick(select::cost_benefit, fixture.params), 1U) << "the older one, before anything is known";
  Selection& benefit = fixture.make(select::cost_benefit, fixture.params);
  fixture.invalidate(1, 900);
  fixture.invalidate(2, 500);
  fixture.now = 1000;
  EXPECT_EQ(benefit.pick(fixture.view()), 2U);
  EXPECT_EQ(fixture.pick(select::cost_benefit), 1U) << "the age since it was taken into use says otherwise";
}

TEST(CostBenefit, forgets_invalidations_from_before_a_segment_was_taken_into_use) {
  LastInvalidation fixture;
  Selection& benefit = fixture.make(select::cost_benefit, fixture.params);
  fixture.invalidate(1, 300);
  fixture.invalidate(2, 400);
  fixture.now = 2000;
  EXPECT_EQ(benefit.pick(fixture.view()), 1U);
  fixture.table.record(1).opened_stamp = 1500;
  EXPECT_EQ(benefit.pick(fixture.view()), 2U);
}

}  // namespace
}  // namespace ftlab::tests
