// Selections that choose by chance: how often they choose what, and that the same seed chooses the same.
#include <gtest/gtest.h>

#include <map>

#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

using namespace fms;

/// Counts choices; between two of them a segment that is no candidate is erased.
std::map<std::uint32_t, int> choices(PolicyFixture& fixture, const SelectionEntry& entry, int picks,
                                     const PolicyParams& params = {}) {
  Selection& selection = fixture.make(entry, params);
  std::map<std::uint32_t, int> counts;
  for (int i = 0; i < picks; ++i) {
    const auto choice = selection.pick(fixture.view());
    EXPECT_TRUE(choice.has_value());
    if (choice) ++counts[*choice];
    EXPECT_EQ(selection.self_check(fixture.view()), nullptr);
    fixture.table.erase(7);
  }
  return counts;
}

struct Candidates : PolicyFixture {
  Candidates() : PolicyFixture(8, 31, 10) {
    for (const std::uint32_t s : {1U, 2U, 3U, 4U}) seal(s, 10 + s, 0, 5 - s);
    seal(5, 31, 0, 0);
  }
};

TEST(RandomSelection, takes_each_candidate_equally_often) {
  Candidates fixture;
  const auto counts = choices(fixture, select::random, 8000);
  ASSERT_EQ(counts.size(), 4U);
  for (const auto& [segment, count] : counts) EXPECT_NEAR(count, 2000, 160) << segment;  // four standard deviations
}

TEST(RandomSelection, takes_each_of_few_candidates_equally_often) {
  PolicyFixture fixture(400, 4, 10);
  for (const std::uint32_t s : {20U, 180U, 360U}) fixture.seal(s, 2);
  const auto counts = choices(fixture, select::random, 3000);
  ASSERT_EQ(counts.size(), 3U);
  for (const auto& [segment, count] : counts) EXPECT_NEAR(count, 1000, 110) << segment;
}

TEST(EverySelection, chooses_the_same_with_the_same_seed) {
  for (const SelectionEntry& entry : selections()) {
    const auto run = [&](std::uint64_t seed) {
      Candidates fixture;
      fixture.policy_seed = seed;
      PolicyParams params;
      params.set("candidates", 2);
      params.set("shuffle_freq", 2);
      return choices(fixture, entry, 300, params);
    };
    EXPECT_EQ(run(5), run(5)) << entry.name;
    EXPECT_EQ(run(5) != run(6), entry.by_chance) << entry.name;
  }
}

TEST(DChoices, is_random_selection_with_one_draw) {
  Candidates fixture;
  PolicyParams params;
  params.set("candidates", 1);
  const auto counts = choices(fixture, select::d_choices, 8000, params);
  ASSERT_EQ(counts.size(), 4U);
  for (const auto& [segment, count] : counts) EXPECT_NEAR(count, 2000, 160) << segment;
}

TEST(DChoices, takes_the_emptiest_of_its_draws) {
  Candidates fixture;
  PolicyParams params;
  params.set("candidates", 2);
  // Of n candidates the i-th emptiest is the emptier of two draws in (2 (n - i) - 1) / n^2 of the cases, i from 0 on.
  const auto counts = choices(fixture, select::d_choices, 16000, params);
  EXPECT_NEAR(counts.at(1), 7000, 260);
  EXPECT_NEAR(counts.at(2), 5000, 240);
  EXPECT_NEAR(counts.at(3), 3000, 200);
  EXPECT_NEAR(counts.at(4), 1000, 130);
}

TEST(DChoices, is_greedy_with_many_draws) {
  Candidates fixture;
  PolicyParams params;
  params.set("candidates", 200);
  EXPECT_EQ(choices(fixture, select::d_choices, 100, params).at(1), 100);
}

TEST(DChoices, leaves_equal_ones_to_the_key_of_ties) {
  for (const auto& [ties, expected] :
       {std::pair{Ties::lowest_index, 1U}, std::pair{Ties::highest_index, 3U}, std::pair{Ties::least_erased, 2U}}) {
    PolicyFixture fixture(8, 31, 10);
    fixture.shared.ties = ties;
    for (const std::uint32_t s : {1U, 2U, 3U}) fixture.seal(s, 10, 0, s == 2 ? 1 : 4);
    PolicyParams params;
    params.set("candidates", 200);
    EXPECT_EQ(fixture.pick(select::d_choices, params), expected);
  }
}

TEST(RevisedGreedy, takes_the_least_erased_segment_in_one_cleaning_of_as_many_as_it_says) {
  Candidates fixture;
  const auto counts = choices(fixture, select::linux_pcmcia, 20000);
  EXPECT_NEAR(counts.at(5), 400, 80) << "the least erased one, although nothing is gained";
  EXPECT_EQ(counts.at(1), 20000 - counts.at(5));
}

TEST(RevisedGreedy, moves_nothing_where_nothing_is_to_be_gained) {
  PolicyFixture fixture(8, 31, 10);
  PolicyParams params;
  params.set("shuffle_freq", 1);
  fixture.seal(1, 31);
  EXPECT_FALSE(fixture.pick(select::linux_pcmcia, params).has_value());
  fixture.seal(2, 30, 0, 1);
  EXPECT_EQ(fixture.pick(select::linux_pcmcia, params), 1U);
}

TEST(RevisedGreedy, leaves_equal_counts_to_the_key_of_ties) {
  PolicyFixture fixture(8, 31, 10);
  PolicyParams params;
  params.set("shuffle_freq", 1);
  for (const std::uint32_t s : {3U, 5U}) fixture.seal(s, 10);
  EXPECT_EQ(fixture.pick(select::linux_pcmcia, params), 3U);
  fixture.shared.ties = Ties::highest_index;
  EXPECT_EQ(fixture.pick(select::linux_pcmcia, params), 5U);
}

}  // namespace
}  // namespace ftlab::tests
