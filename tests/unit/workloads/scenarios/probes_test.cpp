// Probes: pauses inside their range, the same bulk data in every round, metadata now and then.
#include <gmock/gmock.h>

#include "tests/unit/workloads/scenarios/scenario_checks.h"

namespace ftlab::workloads {
namespace {

using test::bytes_of;
using test::kSecond;
using test::play;
using test::refusal;

constexpr std::uint64_t kProbesDevice = 64 * kMiB;

ScenarioConfig response() {
  ScenarioConfig config{.shape = "probes"};
  config.probes = {.rounds = 30,
                   .metadata_bytes = 410,
                   .shortest_pause = kSecond,
                   .longest_pause = kSecond * 3,
                   .settle = kSecond * 200};
  return config;
}

std::vector<Request> probes_of(const std::vector<Request>& requests) {
  std::vector<Request> probes;
  for (const Request& request : requests) {
    if (request.offset >= 30 * kMiB) probes.push_back(request);
  }
  return probes;
}

TEST(Probes, keep_the_promises_of_scenarios) { test::check_promises(response(), kProbesDevice); }

TEST(Probes, write_the_bulk_data_once_in_every_round) {
  const auto requests = play(response(), kProbesDevice);
  const auto probes = probes_of(requests);
  EXPECT_EQ(probes.size(), 300U);
  EXPECT_EQ(bytes_of(requests, RequestKind::write) - bytes_of(probes, RequestKind::write), 30 * 30 * kMiB);
}

TEST(Probes, wait_for_a_random_pause_after_the_request_before_is_done) {
  Ticks least = kNever;
  Ticks most{};
  for (const Request& probe : probes_of(play(response(), kProbesDevice))) {
    least = std::min(least, probe.think);
    most = std::max(most, probe.think);
  }
  EXPECT_GE(least, kSecond);
  EXPECT_LT(least, kSecond * 1.1);
  EXPECT_GT(most, kSecond * 2.9);
  EXPECT_LE(most, kSecond * 3);
}

TEST(Probes, bring_a_page_of_metadata_when_one_is_full) {
  int longer = 0;
  for (const Request& probe : probes_of(play(response(), kProbesDevice))) longer += probe.length == 8192 ? 1 : 0;
  EXPECT_EQ(longer, 300 * 410 / 4096);
  ScenarioConfig plain = response();
  plain.probes.metadata_bytes = 0;
  for (const Request& probe : probes_of(play(plain, kProbesDevice))) ASSERT_EQ(probe.length, 4096U);
}

TEST(Probes, another_seed_gives_other_pauses_and_the_same_data) {
  const auto a = play(response(), kProbesDevice, 1);
  const auto b = play(response(), kProbesDevice, 2);
  ASSERT_EQ(a.size(), b.size());
  int differ = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].offset, b[i].offset);
    differ += a[i].think != b[i].think ? 1 : 0;
  }
  EXPECT_GT(differ, 250);
}

TEST(Probes, pauses_in_the_wrong_order_are_refused) {
  ScenarioConfig config = response();
  config.probes.longest_pause = Ticks{1};
  EXPECT_EQ(refusal([&] { play(config, kProbesDevice); }),
            "scenario.probes.longest_pause: 1e-10 s is shorter than shortest_pause, 1 s");
  EXPECT_THAT(refusal([] { play(response(), 30 * kMiB); }), testing::StartsWith("scenario.probes.bulk: "));
}

}  // namespace
}  // namespace ftlab::workloads
