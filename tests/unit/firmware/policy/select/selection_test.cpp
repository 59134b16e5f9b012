// Each selection against its formula in double precision, and the rules all of them share.
#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <functional>

#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

using namespace fms;

TEST(EverySelection, chooses_full_segments_with_something_to_gain_only) {
  for (const SelectionEntry& selection : selections()) {
    PolicyFixture fixture(8, 31, 10);
    EXPECT_FALSE(fixture.pick(selection).has_value()) << selection.name;
    fixture.seal(1, 31);  // nothing to gain
    fixture.table.record(2).state = SegmentState::open;
    fixture.seal(3, 5);
    fixture.table.set_cleaning(3, true);
    fixture.seal(4, 0);
    fixture.table.record(4).state = SegmentState::bad;
    EXPECT_FALSE(fixture.pick(selection).has_value()) << selection.name;
    fixture.seal(5, 30);
    EXPECT_EQ(fixture.pick(selection), 5U) << selection.name;
  }
}

TEST(EverySelectionThatDoesNotDraw, prefers_an_empty_victim_and_stops_scanning_there) {
  for (const SelectionEntry& selection : selections()) {
    if (selection.by_chance) continue;
    PolicyFixture fixture(8, 31, 10);
    fixture.seal(2, 1, 0);
    fixture.seal(4, 0, 999, 100000);
    fixture.seal(6, 0, 0);
    EXPECT_EQ(fixture.pick(selection), 4U) << selection.name;
    EXPECT_EQ(fixture.probe.of(Work::segment_compare), 2U) << selection.name;
  }
}

TEST(EverySelectionThatDoesNotDraw, gives_ties_to_the_lowest_index) {
  for (const SelectionEntry& selection : selections()) {
    if (selection.by_chance) continue;
    PolicyFixture fixture(8, 31, 10);
    for (const std::uint32_t s : {5U, 3U, 7U}) fixture.seal(s, 10, 400, 2);
    EXPECT_EQ(fixture.pick(selection), 3U) << selection.name;
  }
}

TEST(EverySelectionThatDoesNotDraw, gives_ties_to_the_highest_index_when_asked_to) {
  for (const SelectionEntry& selection : selections()) {
    if (selection.by_chance) continue;
    PolicyFixture fixture(8, 31, 10);
    fixture.shared.ties = Ties::highest_index;
    for (const std::uint32_t s : {5U, 3U, 7U}) fixture.seal(s, 10, 400, 2);
    EXPECT_EQ(fixture.pick(selection), 7U) << selection.name;
    fixture.seal(4, 0);
    fixture.seal(2, 0);
    EXPECT_EQ(fixture.pick(selection), 4U) << selection.name << ": empty ones, too";
    EXPECT_EQ(fixture.probe.of(Work::segment_compare), 3U + 3U) << selection.name << ": and the scan ends there";
  }
}

TEST(EverySelectionThatDoesNotDraw, gives_ties_to_the_least_erased_when_asked_to) {
  for (const SelectionEntry& selection : selections()) {
    if (selection.by_chance) continue;
    PolicyFixture fixture(8, 31, 10);
    fixture.shared.ties = Ties::least_erased;
    fixture.seal(2, 0, 400, 9);
    for (const std::uint32_t s : {3U, 5U, 6U}) fixture.seal(s, 0, 400, s == 3 ? 7 : 4);
    fixture.seal(7, 1, 400, 0);
    EXPECT_EQ(fixture.pick(selection), 5U) << selection.name << ": the first of two";
    EXPECT_EQ(fixture.probe.of(Work::segment_compare), 5U) << selection.name << ": each may be less erased";
  }
}

TEST(SelectionsThatCountNoErasures, leave_ties_of_pages_and_age_to_the_least_erased) {
  for (const SelectionEntry* selection : {&select::greedy, &select::cost_benefit}) {
    PolicyFixture fixture(8, 31, 10);
    fixture.shared.ties = Ties::least_erased;
    for (const std::uint32_t s : {2U, 4U, 6U}) fixture.seal(s, 10, 400, 8 - s);
    EXPECT_EQ(fixture.pick(*selection), 6U) << selection->name;
  }
}

TEST(Greedy, takes_the_fewest_valid_pages_whatever_the_age) {
  PolicyFixture fixture(6, 31, 10);
  fixture.seal(1, 9, 0);
  fixture.seal(2, 8, 999, 5000);
  EXPECT_EQ(fixture.pick(select::greedy), 2U);
  EXPECT_EQ(fixture.probe.of(Work::segment_compare), 2U);
  EXPECT_EQ(fixture.probe.of(Work::segment_score), 0U);
}

using Formula = std::function<double(const SegmentRow&, double slots, double age)>;

void expect_as_formula(const SelectionEntry& selection, const Formula& score, std::uint64_t exponent = kUsualExponent) {
  boost::random::mt19937_64 random(61);
  const auto draw = [&](std::uint64_t from, std::uint64_t to) {
    return boost::random::uniform_int_distribution<std::uint64_t>(from, to)(random);
  };
  for (int round = 0; round < 2000; ++round) {
    PolicyFixture fixture(64, 31, 10);
    fixture.shared.age_exponent = exponent;
    fixture.now = draw(2, round % 2 == 0 ? 60'000 : 1'000'000'000'000'000);
    double best = -1;
    std::uint32_t expected = 0;
    for (std::uint32_t s = 1; s < 64; ++s) {
      fixture.seal(s, static_cast<std::uint32_t>(draw(1, 30)), draw(0, fixture.now),
                   static_cast<std::uint32_t>(draw(0, 200)));
      const SegmentRow row = fixture.table.view(0).row(s);
      const double value = score(row, 31, std::max(1.0, static_cast<double>(fixture.now - row.opened_stamp)));
      if (value > best) {
        best = value;
        expected = s;
      }
    }
    ASSERT_EQ(fixture.pick(selection), expected) << "round " << round;
    EXPECT_EQ(fixture.probe.of(Work::segment_score), 63U);
  }
}

TEST(CostBenefitAndCat, choose_as_the_formula_in_double_precision_with_the_usual_and_with_another_exponent) {
  const auto score = [](double exponent) {
    return [=](const SegmentRow& row, double slots, double age) {
      const double u = row.valid / slots;
      return std::pow(age, exponent) * (1 - u) / u;
    };
  };
  const auto per_erasure = [&](double exponent) {
    return [of = score(exponent)](const SegmentRow& row, double slots, double age) {
      return of(row, slots, age) / (1.0 + row.erase_count);
    };
  };
  expect_as_formula(select::cost_benefit, score(0.3));
  expect_as_formula(select::cost_benefit, score(0.75), 750'000);
  expect_as_formula(select::cat, per_erasure(0.3));
  expect_as_formula(select::cat, per_erasure(0.05), 50'000);
}

}  // namespace
}  // namespace ftlab::tests
