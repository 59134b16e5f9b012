// Windows: the volume of each, spread over it, by whole files inside the data.
#include <gmock/gmock.h>

#include "tests/unit/workloads/scenarios/scenario_checks.h"

namespace ftlab::workloads {
namespace {

using test::kSecond;
using test::play;
using test::refusal;

constexpr std::uint64_t kWindowsDevice = 100 * kMiB;
const std::vector<double> kTable3 = {40, 40, 40, 80, 80, 20, 20, 40, 40, 40};

ScenarioConfig endurance(RewritePattern pattern) {
  ScenarioConfig config{.shape = "windows"};
  config.windows = {.window = kSecond * 400, .window_mib = kTable3, .data_bytes = 60 * kMiB, .pattern = pattern};
  return config;
}

class Windows : public testing::TestWithParam<RewritePattern> {};
INSTANTIATE_TEST_SUITE_P(Patterns, Windows,
                         testing::Values(RewritePattern::sequential, RewritePattern::uniform,
                                         RewritePattern::hot_cold));

TEST_P(Windows, keep_the_promises_of_scenarios) { test::check_promises(endurance(GetParam()), kWindowsDevice); }

TEST_P(Windows, hold_their_volume_and_stay_inside_the_data) {
  std::vector<std::uint64_t> volume(kTable3.size());
  for (const Request& request : play(endurance(GetParam()), kWindowsDevice)) {
    volume.at(static_cast<std::size_t>(request.arrival / (kSecond * 400))) += request.length;
    ASSERT_LE(request.offset + request.length, 60 * kMiB);
  }
  for (std::size_t w = 0; w < volume.size(); ++w) EXPECT_EQ(volume[w], static_cast<std::uint64_t>(kTable3[w]) * kMiB);
}

TEST(WindowBursts, are_spread_evenly_over_the_window) {
  std::map<Ticks, std::uint64_t> volume;
  for (const Request& request : play(endurance(RewritePattern::uniform), kWindowsDevice)) {
    if (request.arrival < kSecond * 400) volume[request.arrival] += request.length;
  }
  ASSERT_EQ(volume.size(), 10U);
  Ticks expected{};
  for (const auto& [at, bytes] : volume) {
    EXPECT_EQ(at, expected);
    EXPECT_EQ(bytes, 4 * kMiB);
    expected += kSecond * 40;
  }
}

TEST(WindowPatterns, hot_files_get_their_share_and_sequential_ones_take_turns) {
  ScenarioConfig config = endurance(RewritePattern::hot_cold);
  config.windows.window_mib = {20'000};
  config.windows.hot_access = 0.75;
  config.windows.hot_data = 0.25;
  std::map<std::uint32_t, int> writes;
  for (const Request& request : play(config, kWindowsDevice)) ++writes[request.stream];
  std::vector<int> counts;
  for (const auto& [stream, count] : writes) counts.push_back(count / 256);
  std::ranges::sort(counts, std::greater<>{});
  ASSERT_EQ(counts.size(), 60U);
  int hot = 0;
  for (std::size_t i = 0; i < 15; ++i) hot += counts[i];
  EXPECT_NEAR(hot / 20'000.0, 0.75, 0.02);

  config = endurance(RewritePattern::sequential);
  config.windows.window_mib = {120};
  writes.clear();
  for (const Request& request : play(config, kWindowsDevice)) ++writes[request.stream];
  for (const auto& [stream, count] : writes) EXPECT_EQ(count, 512) << stream;
}

TEST(WindowPatterns, hot_share_without_files_is_refused) {
  ScenarioConfig config = endurance(RewritePattern::hot_cold);
  config.windows.hot_data = 0.001;
  EXPECT_THAT(refusal([&] { play(config, kWindowsDevice); }),
              testing::StartsWith("scenario.windows.hot_data: 0.1 % of "));
  EXPECT_THAT(refusal([] { play(endurance(RewritePattern::uniform), 59 * kMiB); }),
              testing::StartsWith("scenario.windows.data: "));
}

}  // namespace
}  // namespace ftlab::workloads
