// Several clients of one host: each keeps its depth, and none waits for ever.
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <vector>

#include "tests/unit/platform/host/host_fixture.h"

namespace ftlab::platform {
namespace {

using workloads::RequestKind;

/// A client that reads one page at a time, and one that keeps four writes in flight.
struct TwoClients {
  explicit TwoClients(std::uint64_t write_bytes = 0)
      : reads(reads_of(100)),
        written(writes(100)),
        payload(1, 8 << 20, Payload::Kept::verified),
        clients{HostClient{&reads, 1}, HostClient{&written, 4}},
        host(clients, payload, options_of(write_bytes), Ticks{}) {}
  static HostOptions options_of(std::uint64_t write_bytes) {
    HostOptions options;
    options.write_bytes = write_bytes;
    return options;
  }
  /// Of the pages behind those that are written.
  static std::vector<Request> reads_of(std::size_t n) {
    std::vector<Request> all;
    for (std::size_t i = 0; i < n; ++i) {
      all.push_back(write_of(1600 + i));
      all.back().kind = RequestKind::read;
    }
    return all;
  }
  std::vector<HostRequest> take_all() {
    std::vector<HostRequest> taken;
    while (host.state(Ticks{}) == Host::State::request) (void)host.take(Ticks{}, taken.emplace_back());
    return taken;
  }
  ListSource reads;
  ListSource written;
  Payload payload;
  std::array<HostClient, 2> clients;
  Host host;
};

TEST(HostClients, keep_their_own_depths_and_ask_again_when_theirs_completes) {
  TwoClients s;
  const std::vector<HostRequest> first = s.take_all();
  ASSERT_EQ(first.size(), 5U);
  EXPECT_EQ(first[0].kind, HostRequestKind::read);
  EXPECT_EQ(first[1].kind, HostRequestKind::write);
  EXPECT_EQ(s.host.state(Ticks{}), Host::State::blocked);
  for (const HostRequest& request : first) {
    s.host.complete(request.tag, FtlStatus::ok, Ticks{});
    const std::vector<HostRequest> next = s.take_all();
    ASSERT_EQ(next.size(), 1U);
    EXPECT_EQ(next[0].kind, request.kind);
  }
}

TEST(HostClients, one_goes_on_when_the_other_waits_for_bytes_in_flight) {
  TwoClients s;
  s.written.restart({write_of(1600), write_of(1), write_of(2), write_of(3)});
  const std::vector<HostRequest> first = s.take_all();
  ASSERT_EQ(first.size(), 1U) << "the read of page 1600 is in flight";
  s.host.complete(first[0].tag, FtlStatus::ok, Ticks{});
  EXPECT_EQ(s.take_all().size(), 5U);
}

/// Of a client that reads one page over and over, four reads in flight, and another's request, which comes when they
/// are.
void expect_to_pass_a_busy_reader(const Request& request) {
  Request read = write_of(7);
  read.kind = RequestKind::read;
  ListSource busy(std::vector<Request>(50, read));
  ListSource other({write_of(900), request});
  Payload payload(1, 8 << 20, Payload::Kept::verified);
  const std::array clients{HostClient{&other, 1}, HostClient{&busy, 4}};
  Host host(clients, payload, {}, Ticks{});
  std::deque<HostRequest> in_flight;
  const auto take_all = [&] {
    while (host.state(Ticks{}) == Host::State::request) (void)host.take(Ticks{}, in_flight.emplace_back());
  };
  take_all();
  ASSERT_EQ(in_flight.size(), 5U);
  while (!in_flight.empty() && host.totals().writes + host.totals().flushes < 2) {
    host.complete(in_flight.front().tag, FtlStatus::ok, Ticks{});
    in_flight.pop_front();
    take_all();
  }
  EXPECT_EQ(host.totals().reads, 4U) << "one that comes later passed it";
  EXPECT_EQ(host.totals().writes + host.totals().flushes, 2U);
}

TEST(HostClients, a_write_waits_only_for_what_was_in_flight_before_it) { expect_to_pass_a_busy_reader(write_of(7)); }

TEST(HostClients, a_flush_waits_only_for_what_was_in_flight_before_it) {
  Request flush;
  flush.kind = RequestKind::flush;
  expect_to_pass_a_busy_reader(flush);
}

TEST(HostClients, all_end_when_so_much_was_written) {
  TwoClients s(10 * 4096);
  std::uint64_t completed = 0;
  for (std::vector<HostRequest> taken = s.take_all(); !taken.empty(); taken = s.take_all()) {
    for (const HostRequest& request : taken) s.host.complete(request.tag, FtlStatus::ok, Ticks{});
    completed += taken.size();
  }
  EXPECT_EQ(s.host.state(Ticks{}), Host::State::ended);
  EXPECT_EQ(s.host.totals().writes, 10U);
  EXPECT_NO_THROW(s.host.check_queue());
  EXPECT_EQ(s.host.totals().requests, completed);
  EXPECT_LT(s.host.totals().reads, 100U);
}

}  // namespace
}  // namespace ftlab::platform
