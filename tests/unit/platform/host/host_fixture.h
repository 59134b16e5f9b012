// A host of one client whose requests a test lists.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "platform/host/host.h"
#include "tests/fixtures/list_source.h"

namespace ftlab::platform {

using ftlab::tests::ListSource;
using workloads::Request;

constexpr Ticks us(std::int64_t n) { return Ticks{n * 10'000}; }

inline Request write_of(std::uint64_t page) {
  Request request;
  request.offset = page * 4096;
  request.length = 4096;
  return request;
}

inline std::vector<Request> writes(std::size_t n) {
  std::vector<Request> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(write_of(i % 1500));
  return all;
}

struct HostFixture {
  explicit HostFixture(std::vector<Request> requests, HostOptions options = {}, std::uint32_t depth = 1)
      : source(std::move(requests)),
        payload(1, 8 << 20, Payload::Kept::verified),
        client{&source, depth},
        host(std::span(&client, 1), payload, std::move(options), Ticks{}) {}
  /// Hands out the next request, which must be there.
  HostRequest take(Ticks now = {}) {
    EXPECT_EQ(host.state(now), Host::State::request);
    HostRequest request;
    (void)host.take(now, request);
    return request;
  }
  ListSource source;
  Payload payload;
  HostClient client;
  Host host;
};

}  // namespace ftlab::platform
