// Updates by age: exact at every moment, whatever steps time makes.
#include "firmware/policy/aged_updates.h"

#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <map>
#include <vector>

#include "tests/fixtures/laid_out.h"

namespace ftlab::fms {
namespace {

struct Aged {
  Aged() {
    memory = tests::laid_out([this](Arena& arena) { updates.layout(arena); });
    updates.clear();
  }
  [[nodiscard]] std::map<std::uint64_t, std::uint64_t> ages() const {
    std::map<std::uint64_t, std::uint64_t> found;
    updates.for_each_age([&](std::uint64_t age, std::uint64_t sum) { found[age] += sum; });
    return found;
  }
  std::vector<std::max_align_t> memory;
  AgedUpdates updates;
};

/// Pages written at random, with pauses up to `longest`.
void exercise(std::uint64_t longest, std::uint64_t begin) {
  boost::random::mt19937_64 random(longest);
  const auto draw = [&](std::uint64_t from, std::uint64_t to) {
    return boost::random::uniform_int_distribution<std::uint64_t>(from, to)(random);
  };
  Aged aged;
  std::vector<PageHistory> pages(50);
  std::uint64_t now = begin;
  for (int step = 0; step < 20'000; ++step) {
    now += draw(0, draw(0, 20) == 0 ? longest : 3);
    PageHistory& page = pages[draw(0, draw(0, 1) == 0 ? 4 : 49)];
    const PageHistory after = draw(0, 30) == 0 ? PageHistory{} : PageHistory{page.updates + 1, now};
    aged.updates.on_page(page, after);
    page = after;
    if (step % 16 != 0) continue;
    aged.updates.advance(now);
    std::map<std::uint64_t, std::uint64_t> expected;
    for (const PageHistory& p : pages)
      if (p.updates != 0) expected[AgedUpdates::age_of(p.stamp, now)] += p.updates;
    ASSERT_EQ(aged.ages(), expected) << "pauses up to " << longest << ", step " << step;
  }
}

TEST(AgedUpdates, are_those_of_the_pages_whatever_the_pauses) {
  for (const std::uint64_t longest : {1ULL, 60ULL, 129ULL, 5000ULL, 1'000'000ULL, 100'000'000'000'000ULL})
    exercise(longest, 0);
  exercise(1000, (1ULL << 63) - 30'000'000);
}

TEST(AgedUpdates, count_an_age_in_steps_of_at_most_a_64th_of_it) {
  for (std::uint64_t now = 1000; now < 1'000'000'000'000; now = now * 3 + 7) {
    for (std::uint64_t age = 1; age <= now; age = age * 9 / 8 + 1) {
      const auto counted = static_cast<double>(AgedUpdates::age_of(now - age, now));
      const auto exact = static_cast<double>(age);
      ASSERT_LE(std::abs(counted - exact), exact / 64) << age << " at " << now;
      ASSERT_TRUE(age >= 64 || counted == exact) << age;
    }
  }
}

TEST(AgedUpdates, an_age_is_at_least_one_tick_and_falls_by_no_more_than_a_step) {
  EXPECT_EQ(AgedUpdates::age_of(5, 5), 1U);
  EXPECT_EQ(AgedUpdates::age_of(6, 5), 1U);
  std::uint64_t before = 1;
  for (std::uint64_t now = 5; now < 200'000; ++now) {
    const std::uint64_t age = AgedUpdates::age_of(5, now);
    ASSERT_GE(age + age / 64 + 1, before) << now;
    before = age;
  }
}

TEST(AgedUpdates, time_that_goes_back_changes_nothing) {
  Aged aged;
  aged.updates.on_page({}, {7, 1000});
  aged.updates.advance(2000);
  const auto before = aged.ages();
  aged.updates.advance(1500);
  EXPECT_EQ(aged.ages(), before);
  EXPECT_EQ(aged.updates.now(), 2000U);
}

TEST(AgedUpdates, are_few_however_many_pages_there_are) {
  Aged aged;
  for (std::uint64_t now = 1; now <= 300'000; ++now) aged.updates.on_page({}, {1, now});
  std::uint64_t sum = 0;
  for (const auto& [age, updates] : aged.ages()) sum += updates;
  EXPECT_EQ(sum, 300'000U);
  EXPECT_LT(aged.ages().size(), 1100U);
}

}  // namespace
}  // namespace ftlab::fms
