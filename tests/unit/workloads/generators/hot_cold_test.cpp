#include "workloads/generators/hot_cold.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/unit/workloads/support.h"

namespace ftlab::workloads {
namespace {

using test::refusal;

std::vector<std::uint32_t> counts(const GeneratorConfig& config, std::uint32_t slots, std::size_t draws,
                                  std::uint64_t layout_seed = 1, std::uint64_t draw_seed = 2) {
  const SlotSet set{slots, {}};
  const auto pattern = make_hot_cold(set, config, layout_seed, draw_seed);
  std::vector<std::uint32_t> drawn(draws);
  pattern->draw(drawn);
  std::vector<std::uint32_t> count(slots);
  for (const std::uint32_t slot : drawn) ++count.at(slot);
  return count;
}

/// With 90/10 and many draws a hot slot is hit 81 times as often as a cold one, so counts tell which is which.
std::vector<std::uint32_t> hot_slots(const std::vector<std::uint32_t>& count) {
  const double mean = std::accumulate(count.begin(), count.end(), 0.0) / static_cast<double>(count.size());
  std::vector<std::uint32_t> hot;
  for (std::uint32_t i = 0; i < count.size(); ++i) {
    if (count[i] > 3 * mean) hot.push_back(i);
  }
  return hot;
}

TEST(HotCold, hot_set_is_the_rounded_share_and_gets_its_share_of_the_accesses) {
  const GeneratorConfig config{.hot_access = 0.9, .hot_data = 0.1};
  constexpr std::uint32_t kSlots = 5245;  // of which 524.5 are hot: rounded up
  constexpr std::size_t kDraws = 1'000'000;
  const auto count = counts(config, kSlots, kDraws);
  const auto hot = hot_slots(count);
  EXPECT_EQ(hot.size(), 525U);
  double hits = 0;
  for (const std::uint32_t slot : hot) hits += count[slot];
  EXPECT_NEAR(hits / kDraws, 0.9, 4 * std::sqrt(0.9 * 0.1 / kDraws));
  EXPECT_EQ(std::ranges::count(count, 0U), 0) << "every cold slot is accessed too";
}

TEST(HotCold, hot_set_is_scattered_over_the_device) {
  const auto hot = hot_slots(counts({.hot_access = 0.9, .hot_data = 0.1}, 2000, 200'000));
  ASSERT_EQ(hot.size(), 200U);
  // 200 scattered among 2000: about a tenth have a hot neighbour to the right; a contiguous set would have all.
  const auto neighbours =
      std::ranges::count_if(hot, [&](std::uint32_t s) { return std::ranges::binary_search(hot, s + 1); });
  EXPECT_LT(neighbours, 45);
  EXPECT_LT(hot.front(), 100U);
  EXPECT_GT(hot.back(), 1900U);
}

TEST(HotCold, hot_set_is_the_first_slots_when_it_is_contiguous) {
  GeneratorConfig config{.hot_access = 0.9, .hot_data = 0.1};
  config.hot_place = HotPlace::contiguous;
  for (const std::uint64_t layout_seed : {1, 7}) {
    const auto hot = hot_slots(counts(config, 2000, 200'000, layout_seed));
    ASSERT_EQ(hot.size(), 200U);
    EXPECT_EQ(hot.back(), 199U);
  }
}

TEST(HotCold, layout_seed_alone_decides_which_slots_are_hot) {
  const GeneratorConfig config{.hot_access = 0.9, .hot_data = 0.1};
  const auto hot = hot_slots(counts(config, 500, 50'000, 1, 2));
  EXPECT_EQ(hot, hot_slots(counts(config, 500, 50'000, 1, 3)));
  EXPECT_NE(hot, hot_slots(counts(config, 500, 50'000, 4, 2)));
}

TEST(HotCold, hot_set_without_a_page_is_refused) {
  EXPECT_EQ(
      refusal([] { counts({.hot_access = 0.9, .hot_data = 0.1}, 4, 1); }),
      "workload.hot_data: 0.1 of 4 pages is no page at all, yet 0.9 of the accesses go there; use a larger share");
}

TEST(HotCold, cold_set_without_a_page_is_refused) {
  EXPECT_EQ(refusal([] { counts({.hot_access = 0.9, .hot_data = 0.9}, 4, 1); }),
            "workload.hot_data: 0.9 of 4 pages leaves no cold page for the other accesses; use a smaller share");
}

TEST(HotCold, sequence_of_a_seed_is_fixed_for_all_time) {
  const SlotSet slots{1000, {}};
  const auto pattern = make_hot_cold(slots, {}, 1, 2);
  std::array<std::uint32_t, 6> drawn{};
  pattern->draw(drawn);
  EXPECT_THAT(drawn, testing::ElementsAre(865, 800, 231, 638, 780, 524));
}

}  // namespace
}  // namespace ftlab::workloads
