#include "platform/measure/wear_map.h"

#include <gtest/gtest.h>

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

Ticks seconds(int s) { return ticks_from_ns(s * 1e9); }

TEST(WearMap, nothing_taken_is_null) { EXPECT_TRUE(WearMap().json().is_null()); }

TEST(WearMap, few_segments_have_a_cell_each) {
  WearMap map;
  map.take(seconds(1), {0, 1, 2});
  map.take(seconds(2), {3, 1, 5});
  EXPECT_EQ(map.json(),
            ordered_json::parse(
                R"({"time_s": [1.0, 2.0], "segments_per_cell": 1, "erases": [[0.0, 1.0, 2.0], [3.0, 1.0, 5.0]]})"));
}

TEST(WearMap, neighbours_share_a_cell_whose_value_is_their_mean) {
  WearMap map;
  std::vector<std::uint32_t> counts(513, 2);
  counts[1] = 5;
  counts[512] = 9;
  map.take(seconds(1), counts);
  const ordered_json json = map.json();
  EXPECT_EQ(json["segments_per_cell"], 3);
  ASSERT_EQ(json["erases"][0].size(), 171U);
  EXPECT_DOUBLE_EQ(json["erases"][0][0], 3);
  EXPECT_DOUBLE_EQ(json["erases"][0][170], (2 + 2 + 9) / 3.0);
}

TEST(WearMap, a_long_run_keeps_evenly_spaced_samples_and_the_last) {
  WearMap map;
  for (int s = 1; s <= 1000; ++s) map.take(seconds(s), {static_cast<std::uint32_t>(s)});
  const auto times = map.json()["time_s"].get<std::vector<double>>();
  EXPECT_LE(times.size(), 121U);
  EXPECT_GE(times.size(), 60U);
  EXPECT_EQ(times.front(), 1);
  EXPECT_EQ(times.back(), 1000);
  const auto erases = map.json()["erases"].get<std::vector<std::vector<double>>>();
  ASSERT_EQ(erases.size(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(erases[i], std::vector<double>{times[i]});
  for (std::size_t i = 1; i + 1 < times.size(); ++i) EXPECT_EQ(times[i] - times[i - 1], times[1] - times[0]);
}

}  // namespace
}  // namespace ftlab::platform
