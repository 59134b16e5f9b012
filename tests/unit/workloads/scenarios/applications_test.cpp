// Applications: totals to the byte, reads only of what was written, downloads at their time.
#include <gmock/gmock.h>

#include "tests/unit/workloads/scenarios/scenario_checks.h"

namespace ftlab::workloads {
namespace {

using test::bytes_of;
using test::kSecond;
using test::play;
using test::refusal;

constexpr std::uint64_t kCapacity = 100 * kMiB;

ScenarioConfig phone() {
  ScenarioConfig config{.shape = "applications"};
  config.applications.duration = kSecond * 1800;
  config.applications.interactive = {{.name = "sms",
                                      .writes = 1000,
                                      .write_bytes = 123'457,
                                      .reads = 700,
                                      .read_bytes = 700'001,
                                      .file_bytes = 50'000,
                                      .sessions = 7,
                                      .session = kSecond * 20},
                                     {.name = "game",
                                      .writes = 10,
                                      .write_bytes = 100'000,
                                      .file_bytes = 30'000,
                                      .sessions = 1,
                                      .session = kSecond * 1000}};
  config.applications.downloads = {
      {.name = "mp3", .files = 6, .file_bytes = 3 * kMiB, .first = kSecond * 750, .period = kSecond * 15}};
  return config;
}

TEST(Applications, keep_the_promises_of_scenarios) { test::check_promises(phone(), kCapacity); }

TEST(Applications, make_their_requests_to_the_byte) {
  const auto requests = play(phone(), kCapacity);
  EXPECT_EQ(requests.size(), 1710U + 6 * 768);
  EXPECT_EQ(bytes_of(requests, RequestKind::write), 123'457 + 100'000 + 18 * kMiB);
  EXPECT_EQ(bytes_of(requests, RequestKind::read), 700'001U);
}

TEST(Applications, read_only_what_was_written_before) {
  std::vector<bool> written(kMiB);
  for (const Request& request : play(phone(), kCapacity)) {
    if (request.stream != 1) continue;
    for (std::uint64_t at = request.offset; at < request.offset + request.length; ++at) {
      if (request.kind == RequestKind::write) {
        written[at] = true;
      } else {
        ASSERT_TRUE(written[at]) << at;
      }
    }
  }
}

TEST(Applications, downloads_are_files_of_their_own_at_their_time) {
  std::map<std::uint32_t, std::pair<Ticks, std::uint64_t>> files;
  for (const Request& request : play(phone(), kCapacity)) {
    if (request.stream <= 2) continue;
    auto& [at, bytes] = files[request.stream];
    at = request.arrival;
    bytes += request.length;
  }
  ASSERT_EQ(files.size(), 6U);
  Ticks expected = kSecond * 750;
  for (const auto& [stream, file] : files) {
    EXPECT_EQ(file.first, expected);
    EXPECT_EQ(file.second, 3 * kMiB);
    expected += kSecond * 15;
  }
}

TEST(Applications, one_program_is_used_at_a_time) {
  std::uint32_t changes = 0;
  std::uint32_t before = 0;
  for (const Request& request : play(phone(), kCapacity)) {
    if (request.stream > 2) continue;
    changes += request.stream != before ? 1 : 0;
    before = request.stream;
  }
  EXPECT_LE(changes, 3U) << "the one session of the game is never interrupted";
  ScenarioConfig crowded = phone();
  crowded.applications.interactive[1].session = kSecond * 1700;
  EXPECT_EQ(refusal([&] { play(crowded, kCapacity); }),
            "scenario.duration: sessions of 1840 s in all do not fit 1800 s, one at a time");
}

TEST(Applications, requests_too_large_for_their_file_are_refused) {
  ScenarioConfig config = phone();
  config.applications.interactive[0].file_bytes = 1500;
  EXPECT_THAT(refusal([&] { play(config, kCapacity); }),
              testing::StartsWith("scenario.interactive.sms.file: a file of 1500 B, "));
  config = phone();
  config.applications.interactive[0].write_bytes = 999;
  EXPECT_THAT(refusal([&] { play(config, kCapacity); }), testing::HasSubstr("less than a byte"));
  config = phone();
  config.applications.interactive[0].session = kSecond * 300;
  EXPECT_THAT(refusal([&] { play(config, kCapacity); }), testing::StartsWith("scenario.interactive.sms.session: "));
  EXPECT_THAT(refusal([] { play(phone(), 10 * kMiB); }), testing::StartsWith("scenario.downloads: "));
}

}  // namespace
}  // namespace ftlab::workloads
