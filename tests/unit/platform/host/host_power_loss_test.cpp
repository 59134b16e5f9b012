// What the host does when the device has lost power: everything in flight again, or the end.
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "tests/unit/platform/host/host_fixture.h"

namespace ftlab::platform {
namespace {

TEST(HostAfterPowerLoss, what_was_in_flight_comes_again_before_anything_else) {
  HostFixture fixture(writes(20), {}, 8);
  std::vector<HostRequest> first;
  for (int i = 0; i < 6; ++i) first.push_back(fixture.take(Ticks{i}));
  fixture.host.complete(first[0].tag, FtlStatus::ok, Ticks{10});
  fixture.host.complete(first[3].tag, FtlStatus::ok, Ticks{11});
  first.push_back(fixture.take(Ticks{12}));
  const std::vector<std::byte> content(first[1].from, first[1].from + first[1].length);
  fixture.host.resend();
  fixture.host.resend();  // and once more, before anything was sent
  for (const std::size_t i : {1U, 2U, 4U, 5U, 6U}) {
    const HostRequest again = fixture.take(Ticks{100});
    EXPECT_EQ(again.tag, first[i].tag);
    EXPECT_EQ(again.offset, first[i].offset);
    EXPECT_EQ(again.from, first[i].from);
  }
  EXPECT_TRUE(std::ranges::equal(content, std::span(first[1].from, first[1].length)));
  EXPECT_EQ(fixture.host.totals().writes, 7U) << "nothing is counted twice";
  const HostRequest next = fixture.take(Ticks{101});
  EXPECT_EQ(next.offset, 7U * 4096);
  fixture.host.complete(first[1].tag, FtlStatus::ok, Ticks{200});
  EXPECT_DOUBLE_EQ(fixture.host.totals().write_latency.max_s(), 200e-10) << "since it arrived";
  EXPECT_THROW(fixture.host.complete(first[1].tag, FtlStatus::ok, Ticks{201}), std::logic_error);
}

TEST(HostAfterPowerLoss, a_device_that_comes_back_no_more_ends_the_run) {
  HostFixture fixture(writes(20), {}, 4);
  for (int i = 0; i < 3; ++i) fixture.take(Ticks{i});
  fixture.host.resend();
  fixture.host.give_up("no format", Ticks{50});
  EXPECT_EQ(fixture.host.in_flight(), 0U);
  EXPECT_EQ(fixture.host.state(Ticks{51}), Host::State::ended);
  EXPECT_EQ(fixture.host.totals().failed_requests, 3U);
  EXPECT_STREQ(fixture.host.totals().end_reason, "no format");
  fixture.host.check_queue();
}

}  // namespace
}  // namespace ftlab::platform
