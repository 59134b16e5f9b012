// The host against a device of the test's own: what is handed out when, and that every request completes once.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <span>
#include <stdexcept>
#include <vector>

#include "tests/unit/platform/host/host_fixture.h"

namespace ftlab::platform {
namespace {

using ftlab::tests::ListSource;
using std::chrono::microseconds;
using workloads::Request;
using workloads::RequestKind;

TEST(Host, sums_of_waits_hold_for_requests_that_all_wait_as_long_as_the_clock_goes) {
  HostOptions options;
  options.open_loop = true;
  HostFixture fixture(writes(100), options);
  for (int i = 0; i < 100; ++i) fixture.host.complete(fixture.take(kClockEnd).tag, FtlStatus::ok, kClockEnd);
  EXPECT_DOUBLE_EQ(to_seconds(fixture.host.totals().queue.integral()), to_seconds(kClockEnd) * 100);
  EXPECT_DOUBLE_EQ(fixture.host.totals().write_latency.wait_mean_s(), to_seconds(kClockEnd));
  EXPECT_DOUBLE_EQ(fixture.host.totals().write_latency.mean_s(), to_seconds(kClockEnd));
}

TEST(Host, sums_of_service_hold_for_requests_that_are_all_served_as_long_as_the_clock_goes) {
  HostFixture fixture(writes(100), {}, 100);
  std::vector<HostRequest> all;
  for (int i = 0; i < 100; ++i) all.push_back(fixture.take());
  for (const HostRequest& request : all) fixture.host.complete(request.tag, FtlStatus::ok, kClockEnd);
  EXPECT_TRUE(fixture.host.totals().write_service == TickSum{kClockEnd} * 100);
}

TEST(Host, what_arrives_behind_the_end_of_time_is_still_waited_for) {
  std::vector<Request> requests = writes(2);
  requests[1].arrival = kNever - Ticks{1};
  HostOptions options;
  options.open_loop = true;
  HostFixture fixture(requests, options);
  fixture.host.complete(fixture.take(Ticks{7}).tag, FtlStatus::ok, Ticks{9});
  EXPECT_EQ(fixture.host.state(kClockEnd), Host::State::waiting);
  EXPECT_LT(fixture.host.next_arrival(), kNever);
}

class Depths : public ::testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Host, Depths, ::testing::Values(1, 2, 3, 8, 31, 64, 1024),
                         [](const auto& depth) { return "depth_" + std::to_string(depth.param); });

TEST_P(Depths, every_request_completes_once_whatever_the_order_of_completions) {
  HostOptions options;
  HostFixture s(writes(3000), options, GetParam());
  std::deque<std::uint32_t> flying;
  Ticks now{};
  std::uint64_t completed = 0;
  for (;;) {
    now += microseconds{1};
    const Host::State state = s.host.state(now);
    if (state == Host::State::request) {
      flying.push_back(s.take(now).tag);
      ASSERT_LE(s.host.in_flight(), GetParam());
      continue;
    }
    if (flying.empty()) {
      ASSERT_EQ(state, Host::State::ended);
      break;
    }
    // Out of order: the newest and the oldest in turn.
    const bool newest = completed++ % 2 == 0;
    s.host.complete(newest ? flying.back() : flying.front(), FtlStatus::ok, now);
    newest ? flying.pop_back() : flying.pop_front();
  }
  EXPECT_EQ(s.host.totals().requests, 3000U);
  EXPECT_EQ(s.host.totals().max_in_flight, GetParam());
  EXPECT_NO_THROW(s.host.check_queue());
  EXPECT_EQ(s.host.in_flight(), 0U);
}

TEST(Host, a_completion_that_comes_twice_is_a_broken_contract) {
  HostOptions options;
  HostFixture s(writes(3), options, 2);
  const std::uint32_t tag = s.take().tag;
  s.host.complete(tag, FtlStatus::ok, Ticks{});
  EXPECT_THROW(s.host.complete(tag, FtlStatus::ok, Ticks{}), std::logic_error);
  (void)s.take();
  EXPECT_THROW(s.host.complete(tag, FtlStatus::ok, Ticks{}), std::logic_error) << "its slot is another request's now";
  EXPECT_THROW(s.host.complete(63, FtlStatus::ok, Ticks{}), std::logic_error);
}

TEST(Host, requests_that_touch_the_same_bytes_are_not_in_flight_together_unless_both_read) {
  Request read = write_of(5);
  read.kind = RequestKind::read;
  Request flush;
  flush.kind = RequestKind::flush;
  HostOptions options;
  HostFixture s({write_of(5), read, read, flush, write_of(6)}, options, 8);
  const std::uint32_t written = s.take().tag;
  EXPECT_EQ(s.host.state(Ticks{}), Host::State::blocked);
  s.host.complete(written, FtlStatus::ok, Ticks{});
  const std::uint32_t first = s.take().tag;
  const std::uint32_t second = s.take().tag;
  EXPECT_EQ(s.host.state(Ticks{}), Host::State::blocked) << "a flush is in flight alone";
  s.host.complete(first, FtlStatus::read_failed, Ticks{});
  EXPECT_EQ(s.host.state(Ticks{}), Host::State::blocked);
  s.host.complete(second, FtlStatus::read_failed, Ticks{});
  const std::uint32_t flushed = s.take().tag;
  EXPECT_EQ(s.host.state(Ticks{}), Host::State::blocked) << "nothing beside a flush";
  s.host.complete(flushed, FtlStatus::ok, Ticks{});
  EXPECT_EQ(s.host.state(Ticks{}), Host::State::request);
}

TEST(Host, a_read_in_flight_is_judged_by_its_own_buffer) {
  Request read = write_of(0);
  read.kind = RequestKind::read;
  HostOptions options;
  HostFixture s({write_of(0), read, write_of(1), read}, options, 4);
  const HostRequest written = s.take();
  const std::vector<std::byte> content(written.from, written.from + 4096);
  s.host.complete(written.tag, FtlStatus::ok, Ticks{});
  const HostRequest right = s.take();
  const HostRequest beside = s.take();
  const HostRequest wrong = s.take();
  std::copy(content.begin(), content.end(), right.into);
  std::copy(content.begin(), content.end(), wrong.into);
  wrong.into[700] ^= std::byte{1};
  for (const HostRequest& request : {beside, wrong, right}) s.host.complete(request.tag, FtlStatus::ok, Ticks{});
  EXPECT_EQ(s.host.totals().wrong_reads, 1U);
}

TEST(Host, what_a_refused_write_left_is_not_judged) {
  Request read = write_of(0);
  read.kind = RequestKind::read;
  HostFixture s({write_of(0), write_of(0), read, write_of(0), read});
  const HostRequest written = s.take();
  const std::vector<std::byte> content(written.from, written.from + 4096);
  s.host.complete(written.tag, FtlStatus::ok, Ticks{});
  s.host.complete(s.take().tag, FtlStatus::read_failed, Ticks{});
  const auto read_back = [&] {
    const HostRequest request = s.take();
    std::copy(content.begin(), content.end(), request.into);
    s.host.complete(request.tag, FtlStatus::ok, Ticks{});
  };
  read_back();
  EXPECT_EQ(s.host.totals().wrong_reads, 0U) << "it may have changed nothing";
  s.host.complete(s.take().tag, FtlStatus::ok, Ticks{});
  read_back();
  EXPECT_EQ(s.host.totals().wrong_reads, 1U) << "the next one counts again";
}

TEST(Host, a_pause_begins_when_nothing_is_in_flight) {
  HostOptions options;
  options.idle_every = 1;
  options.idle = microseconds{50};
  HostFixture s(writes(3), options, 2);
  const std::uint32_t first = s.take().tag;
  const std::uint32_t second = s.take().tag;
  s.host.complete(first, FtlStatus::ok, microseconds{1});
  EXPECT_EQ(s.host.state(microseconds{1}), Host::State::blocked);
  s.host.complete(second, FtlStatus::ok, microseconds{4});
  ASSERT_EQ(s.host.state(microseconds{5}), Host::State::waiting);
  EXPECT_EQ(s.host.next_arrival(), microseconds{54});
  EXPECT_EQ(s.host.state(microseconds{54}), Host::State::request);
}

TEST(Host, arrivals_queue_while_the_device_is_full_and_their_wait_is_part_of_the_latency) {
  std::vector<Request> requests = writes(3);
  for (std::size_t i = 0; i < requests.size(); ++i) requests[i].arrival = microseconds{10} * static_cast<int>(i);
  HostOptions options;
  options.open_loop = true;
  HostFixture s(requests, options);
  const std::uint32_t first = s.take().tag;
  EXPECT_EQ(s.host.state(microseconds{15}), Host::State::blocked);
  s.host.complete(first, FtlStatus::ok, microseconds{25});
  s.host.complete(s.take(microseconds{25}).tag, FtlStatus::ok, microseconds{30});
  s.host.complete(s.take(microseconds{32}).tag, FtlStatus::ok, microseconds{35});
  EXPECT_EQ(s.host.state(microseconds{35}), Host::State::ended);
  EXPECT_DOUBLE_EQ(s.host.totals().write_latency.mean_s(), (25e-6 + 20e-6 + 15e-6) / 3);
  EXPECT_DOUBLE_EQ(s.host.totals().write_latency.wait_mean_s(), (0 + 15e-6 + 12e-6) / 3);
  EXPECT_NO_THROW(s.host.check_queue());
}

class Observer final : public RequestObserver {
 public:
  void taken(std::uint32_t tag) override { tags.push_back(tag); }
  void completed(const CompletedRequest& request) override { done.push_back(request); }
  std::vector<std::uint32_t> tags;
  std::vector<CompletedRequest> done;
};

/// A device that takes one request at a time, each for 10 us, and lets 1 us pass before it asks for the next one.
struct Serial {
  explicit Serial(HostFixture& fixture) : host(fixture.host) {}
  void serve() {
    for (Host::State state = host.state(now); state != Host::State::ended; state = host.state(now)) {
      if (state == Host::State::waiting) {
        now = host.next_arrival();
        continue;
      }
      HostRequest request;
      (void)host.take(now, request);
      now += microseconds{10};
      host.complete(request.tag, status, now);
      now += microseconds{1};
    }
  }
  Host& host;
  Ticks now{};
  FtlStatus status = FtlStatus::ok;
};

TEST(Host, a_closed_loop_keeps_its_depth_in_the_queue_and_latency_counts_from_there) {
  Observer observer;
  HostOptions options;
  options.observer = &observer;
  HostFixture s(writes(5), options, 3);
  Serial(s).serve();
  ASSERT_EQ(observer.done.size(), 5U);
  const std::array<int, 5> arrived{0, 0, 0, 10, 21};
  for (std::size_t i = 0; i < arrived.size(); ++i) {
    EXPECT_EQ(observer.done[i].arrived, microseconds{arrived[i]}) << i;
    EXPECT_EQ(observer.done[i].begun, microseconds{11} * static_cast<int>(i)) << i;
  }
  EXPECT_DOUBLE_EQ(s.host.totals().write_latency.mean_s(), (10 + 21 + 32 + 33 + 33) * 1e-6 / 5);
  EXPECT_DOUBLE_EQ(s.host.totals().write_latency.wait_mean_s(), (0 + 11 + 22 + 23 + 23) * 1e-6 / 5);
  // Three until the fourth is taken, then what is left of the workload.
  EXPECT_DOUBLE_EQ(to_seconds(s.host.totals().queue.integral()), (3 * 32 + 2 * 11 + 11) * 1e-6);
  EXPECT_NO_THROW(s.host.check_queue());
}

TEST(Host, what_waits_when_a_pause_begins_arrives_when_it_ends) {
  Observer observer;
  HostOptions options;
  options.observer = &observer;
  options.idle_every = 2;
  options.idle = microseconds{50};
  HostFixture s(writes(4), options, 3);
  Serial(s).serve();
  ASSERT_EQ(observer.done.size(), 4U);
  EXPECT_EQ(observer.done[1].ended, microseconds{21});
  for (const std::size_t i : {2U, 3U}) EXPECT_EQ(observer.done[i].arrived, microseconds{71}) << i;
  EXPECT_EQ(observer.done[3].begun, microseconds{82});
  EXPECT_NO_THROW(s.host.check_queue());
}

TEST(Host, what_waits_when_the_device_wears_out_never_arrived) {
  HostFixture s(writes(5), {}, 3);
  Serial device(s);
  device.status = FtlStatus::read_only;
  device.serve();
  EXPECT_EQ(s.host.totals().requests, 1U);
  EXPECT_DOUBLE_EQ(to_seconds(s.host.totals().queue.integral()), 10e-6);
  EXPECT_NO_THROW(s.host.check_queue());
}

TEST(Host, a_request_that_is_in_flight_at_the_end_does_not_balance) {
  HostFixture s(writes(2), {}, 1);
  (void)s.take();
  EXPECT_THROW(s.host.check_queue(), std::logic_error);
}

TEST(Host, an_observer_sees_every_request_once_taken_and_once_completed) {
  Request late = write_of(3);
  late.arrival = microseconds{10};
  Request read = write_of(4);
  read.kind = RequestKind::read;
  read.arrival = microseconds{20};
  Observer observer;
  HostOptions options;
  options.open_loop = true;
  options.cache_hits = 1;
  options.observer = &observer;
  HostFixture s({late, read}, options, 2);
  const std::uint32_t first = s.take(microseconds{25}).tag;
  const std::uint32_t second = s.take(microseconds{26}).tag;
  s.host.complete(second, FtlStatus::ok, microseconds{27});
  s.host.complete(first, FtlStatus::no_space, microseconds{30});
  EXPECT_EQ(observer.tags, (std::vector{first, second}));
  ASSERT_EQ(observer.done.size(), 2U);
  EXPECT_EQ(observer.done[0].kind, HostRequestKind::read);
  EXPECT_TRUE(observer.done[0].cached);
  const CompletedRequest& written = observer.done[1];
  EXPECT_EQ(written.tag, first);
  EXPECT_EQ(written.offset, 3 * 4096U);
  EXPECT_EQ(written.length, 4096U);
  EXPECT_EQ(written.status, FtlStatus::no_space);
  EXPECT_EQ(written.arrived, microseconds{10});
  EXPECT_EQ(written.begun, microseconds{25});
  EXPECT_EQ(written.ended, microseconds{30});
}

TEST(Host, a_device_that_takes_no_more_writes_ends_the_run) {
  HostFixture s(writes(10));
  s.host.complete(s.take().tag, FtlStatus::read_only, Ticks{});
  EXPECT_EQ(s.host.state(Ticks{}), Host::State::ended);
  EXPECT_STREQ(s.host.totals().end_reason, end_of_life(FtlStatus::read_only));
}

}  // namespace
}  // namespace ftlab::platform
