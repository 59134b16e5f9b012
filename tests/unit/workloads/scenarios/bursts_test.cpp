// Bursts: volume, period, how much is rewritten and where the workload ends.
#include <gmock/gmock.h>

#include "tests/unit/workloads/scenarios/scenario_checks.h"

namespace ftlab::workloads {
namespace {

using test::bytes_of;
using test::distinct_bytes;
using test::kSecond;
using test::play;
using test::refusal;

constexpr std::uint64_t kBurstsDevice = 64 * kMiB;

ScenarioConfig locality() {
  ScenarioConfig config;
  config.bursts = {.capacity_bytes = 64 * kMiB,
                   .used_share = 0.95,
                   .burst_bytes = 4 * kMiB,
                   .period = kSecond * 10,
                   .rewrite_share = 0.25,
                   .rewritten_bytes = kMiB};
  return config;
}

TEST(Bursts, keep_the_promises_of_scenarios) { test::check_promises(locality(), kBurstsDevice); }

TEST(Bursts, end_when_the_share_of_the_capacity_is_used) {
  ScenarioConfig config = locality();
  const std::uint64_t goal = static_cast<std::uint64_t>(0.95 * 64 * kMiB) / 4096 * 4096;
  EXPECT_EQ(distinct_bytes(play(config, kBurstsDevice)), goal);
  config.bursts.rewrite_share = 0;
  EXPECT_EQ(distinct_bytes(play(config, kBurstsDevice)), goal);
  EXPECT_EQ(bytes_of(play(config, kBurstsDevice), RequestKind::write), goal) << "nothing is written twice";
}

TEST(Bursts, come_at_their_period_with_their_volume) {
  std::map<std::int64_t, std::uint64_t> volume;
  for (const Request& request : play(locality(), kBurstsDevice)) volume[request.arrival.count()] += request.length;
  ASSERT_EQ(volume.size(), 20U) << "4 MiB of new data at first, 3 MiB a burst after it";
  std::int64_t expected = 0;
  for (const auto& [at, bytes] : volume) {
    EXPECT_EQ(at, expected);
    expected += (kSecond * 10).count();
    if (at != volume.rbegin()->first) {
      EXPECT_EQ(bytes, 4 * kMiB);
    }
  }
}

TEST(Bursts, rewrite_their_share_to_the_same_places) {
  const auto requests = play(locality(), kBurstsDevice);
  std::map<std::uint64_t, int> writes;
  for (const Request& request : requests) ++writes[request.offset];
  for (const auto& [offset, count] : writes) {
    if (offset >= kMiB) {
      EXPECT_EQ(count, 1) << offset;
    } else {
      EXPECT_GE(count, 19) << offset;
    }
  }
}

TEST(Bursts, queue_behind_each_other_and_not_within_themselves) {
  for (const Request& request : play(locality(), kBurstsDevice)) ASSERT_EQ(request.think, Ticks{});
}

TEST(Bursts, what_cannot_end_or_does_not_fit_is_refused) {
  ScenarioConfig config = locality();
  config.bursts.rewrite_share = 1;
  EXPECT_THAT(refusal([&] { play(config, kBurstsDevice); }),
              testing::StartsWith("scenario.bursts.rewrite: 100 % is not a share from 0 to below 100 %"));
  config.bursts.used_share = 1.2;
  EXPECT_EQ(refusal([&] { play(config, kBurstsDevice); }),
            "scenario.bursts.used: 120 % is not a share above 0 and up to 100 %");
  EXPECT_THAT(refusal([] { play(locality(), 32 * kMiB); }),
              testing::StartsWith("scenario.bursts.used: 62256 KiB of data do not fit the 32 MiB"));
  config = locality();
  config.bursts.period = {};
  EXPECT_EQ(refusal([&] { play(config, kBurstsDevice); }), "scenario.bursts.period: must be above 0");
  config = locality();
  config.bursts.file_bytes = 1000;
  EXPECT_THAT(refusal([&] { play(config, kBurstsDevice); }),
              testing::StartsWith("scenario.bursts.file: 1000 B are not whole pages of 4 KiB"));
}

TEST(Scenario, without_times_asks_as_fast_as_it_is_served) {
  for (const Request& request : test::drain(*make_scenario(locality(), kBurstsDevice, 1, false))) {
    ASSERT_EQ(request.arrival, Ticks{});
  }
}

TEST(Scenario, unknown_shape_is_refused_with_the_known_ones) {
  EXPECT_EQ(refusal([] { play({.shape = "waves"}, kBurstsDevice); }),
            "scenario.shape: \"waves\" is no shape; known are bursts, probes, windows, applications");
}

}  // namespace
}  // namespace ftlab::workloads
