// Requests and completions that a link carries, by times computed by hand.
#include "platform/host/linked_host.h"

#include <vector>

#include "tests/unit/platform/host/host_fixture.h"

namespace ftlab::platform {
namespace {

Request read_of(std::uint64_t page) {
  Request request = write_of(page);
  request.kind = workloads::RequestKind::read;
  return request;
}

/// 1 ns a byte, packets of 1024 and 24 bytes, 2 us each way; a command each us, 10 us before the firmware has a read
/// and 4 before it has anything else.
LinkTiming timing() {
  return {.latency = us(2),
          .byte_ns = 1,
          .payload = 1024,
          .overhead = 24,
          .command = 76,
          .completion = 76,
          .command_time = us(1),
          .front_read = us(10),
          .front_write = us(4)};
}

struct LinkedHostTest : testing::Test {
  void start(std::vector<Request> requests, std::uint32_t depth = 1) {
    fixture.emplace(std::move(requests), HostOptions{}, depth);
    linked.emplace(fixture->host, &link);
  }
  /// The next request, at the first time at which the firmware can have it.
  std::uint32_t take(Ticks expected) {
    EXPECT_EQ(linked->state(now), Host::State::waiting);
    now = linked->next_arrival();
    EXPECT_EQ(now, expected);
    EXPECT_EQ(linked->state(now), Host::State::request);
    HostRequest request;
    EXPECT_FALSE(linked->take(now, request));
    return request.tag;
  }

  LinkTiming link = timing();
  std::optional<HostFixture> fixture;
  std::optional<LinkedHost> linked;
  Ticks now{};
};

/// A page in four packets.
constexpr Ticks kPage = Ticks{(4096 + 4 * 24) * 10};
/// A command or a completion.
constexpr Ticks kEntry = Ticks{100 * 10};

TEST_F(LinkedHostTest, a_read_takes_its_command_there_and_its_data_back) {
  start({read_of(0)});
  const std::uint32_t tag = take(kEntry + us(2 + 1 + 10));
  now += us(100);
  linked->complete(tag, FtlStatus::ok, now);
  EXPECT_EQ(fixture->host.in_flight(), 1U) << "it is on its way";
  EXPECT_EQ(linked->state(now), Host::State::waiting);
  const Ticks delivered = now + kPage + kEntry + us(2);
  EXPECT_EQ(linked->next_arrival(), delivered);
  EXPECT_EQ(linked->state(delivered), Host::State::ended);
  EXPECT_EQ(fixture->host.in_flight(), 0U);
  EXPECT_DOUBLE_EQ(fixture->host.totals().read_latency.max_s(), to_seconds(delivered));
  fixture->host.check_queue();
}

TEST_F(LinkedHostTest, a_write_takes_its_data_there) {
  start({write_of(0)});
  const std::uint32_t tag = take(kEntry + kPage + us(2 + 1 + 4));
  linked->complete(tag, FtlStatus::ok, now);
  EXPECT_EQ(linked->state(now), Host::State::waiting);
  EXPECT_EQ(linked->next_arrival(), now + kEntry + us(2));
}

TEST_F(LinkedHostTest, commands_pass_the_front_end_one_after_the_other_and_stay_there_together) {
  start({read_of(0), read_of(1), read_of(2)}, 3);
  (void)take(kEntry + us(2 + 1 + 10));
  (void)take(kEntry + us(2 + 2 + 10));
  (void)take(kEntry + us(2 + 3 + 10));
}

TEST_F(LinkedHostTest, what_goes_back_shares_the_wires_and_what_comes_has_its_own) {
  start({read_of(0), read_of(1), write_of(2)}, 2);
  const std::uint32_t first = take(kEntry + us(13));
  const std::uint32_t second = take(kEntry + us(14));
  now = us(100);
  linked->complete(second, FtlStatus::ok, now);
  linked->complete(first, FtlStatus::ok, now);
  const Ticks sent = now + kPage + kEntry + us(2);
  // The host has the first answer, and its next request comes while the other answer is under way.
  EXPECT_EQ(linked->state(now), Host::State::waiting);
  EXPECT_EQ(linked->next_arrival(), sent);
  now = sent;
  EXPECT_EQ(linked->state(now), Host::State::waiting);
  EXPECT_EQ(linked->next_arrival(), sent + kPage + kEntry);
  now = sent + kPage + kEntry;
  (void)take(sent + kEntry + kPage + us(2 + 1 + 4));
}

TEST_F(LinkedHostTest, what_the_firmware_takes_late_was_sent_when_it_arrived) {
  start({read_of(0), read_of(1)});
  const std::uint32_t tag = take(kEntry + us(13));
  linked->complete(tag, FtlStatus::ok, us(20));
  now = us(500);
  EXPECT_EQ(linked->state(now), Host::State::request) << "it has come long ago";
  HostRequest request;
  (void)linked->take(now, request);
  linked->complete(request.tag, FtlStatus::ok, now);
  EXPECT_EQ(linked->state(us(1000)), Host::State::ended);
  const double second = to_seconds(us(500) + kPage + kEntry + us(2) - (us(20) + kPage + kEntry + us(2)));
  EXPECT_DOUBLE_EQ(fixture->host.totals().read_latency.max_s(), second);
}

TEST_F(LinkedHostTest, each_completion_sends_the_next_request_at_its_own_time_however_late_the_firmware_asks) {
  start({read_of(0), read_of(1), read_of(2), read_of(3)}, 2);
  const std::uint32_t first = take(kEntry + us(13));
  const std::uint32_t second = take(kEntry + us(14));
  linked->complete(first, FtlStatus::ok, us(20));
  linked->complete(second, FtlStatus::ok, us(60));
  now = us(70);
  EXPECT_EQ(linked->state(now), Host::State::request)
      << "it was sent when the first answer had come, 26 us after the start";
  HostRequest request;
  (void)linked->take(now, request);
  (void)take(us(60) + kPage + kEntry + us(2) + kEntry + us(13));
}

TEST_F(LinkedHostTest, a_request_that_waits_for_bytes_in_use_is_sent_when_they_are_free) {
  start({write_of(0), read_of(0)}, 2);
  const std::uint32_t tag = take(kEntry + kPage + us(7));
  linked->complete(tag, FtlStatus::ok, us(100));
  now = us(100);
  const Ticks answered = us(100) + kEntry + us(2);
  EXPECT_EQ(linked->state(now), Host::State::waiting);
  EXPECT_EQ(linked->next_arrival(), answered);
  now = answered;
  (void)take(answered + kEntry + us(13));
}

TEST_F(LinkedHostTest, nothing_is_under_way_behind_a_loss_of_power) {
  start({write_of(0), write_of(1)}, 2);
  const std::uint32_t tag = take(kEntry + kPage + us(7));
  linked->complete(tag, FtlStatus::ok, now);
  linked->drop();
  fixture->host.resend();
  EXPECT_EQ(linked->state(us(1000)), Host::State::request) << "both come again, also the one that was answered";
  HostRequest request;
  (void)linked->take(us(1000), request);
  (void)linked->take(us(1000), request);
  EXPECT_EQ(linked->state(us(1000)), Host::State::ended) << "nothing more is asked for";
}

}  // namespace
}  // namespace ftlab::platform
