// What holds for the requests of any scenario.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "tests/unit/workloads/support.h"
#include "workloads/scenarios/scenario_source.h"

namespace ftlab::workloads::test {

inline constexpr Ticks kSecond{10'000'000'000};

inline std::vector<Request> play(const ScenarioConfig& config, std::uint64_t device_bytes, std::uint64_t seed = 1) {
  return drain(*make_scenario(config, device_bytes, seed, true));
}

/// Ascending arrivals, requests inside the device, no byte that belongs to two streams, the same list again.
inline void check_promises(const ScenarioConfig& config, std::uint64_t device_bytes) {
  const auto requests = play(config, device_bytes);
  const auto again = play(config, device_bytes);
  ASSERT_FALSE(requests.empty());
  ASSERT_EQ(requests.size(), again.size());
  std::map<std::uint64_t, std::uint32_t> owner;  // page -> stream
  Ticks before{};
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Request& request = requests[i];
    ASSERT_GE(request.arrival, before) << i;
    before = request.arrival;
    if (request.kind == RequestKind::flush) continue;  // has no place
    ASSERT_GT(request.length, 0U);
    ASSERT_LE(request.offset + request.length, device_bytes);
    ASSERT_NE(request.stream, 0U);
    for (std::uint64_t page = request.offset / 4096; page <= (request.offset + request.length - 1) / 4096; ++page) {
      const auto [place, fresh] = owner.try_emplace(page, request.stream);
      ASSERT_EQ(place->second, request.stream) << "page " << page << " changes its file";
    }
    ASSERT_EQ(request.offset, again[i].offset);
    ASSERT_EQ(request.length, again[i].length);
    ASSERT_EQ(request.arrival, again[i].arrival);
    ASSERT_EQ(request.think, again[i].think);
  }
}

inline std::uint64_t bytes_of(const std::vector<Request>& requests, RequestKind kind) {
  std::uint64_t bytes = 0;
  for (const Request& request : requests) bytes += request.kind == kind ? request.length : 0;
  return bytes;
}

/// Bytes written at least once, counted in pages of 512 bytes.
inline std::uint64_t distinct_bytes(const std::vector<Request>& requests) {
  std::map<std::uint64_t, bool> seen;
  for (const Request& request : requests) {
    for (std::uint64_t at = request.offset / 512; at * 512 < request.offset + request.length; ++at) seen[at] = true;
  }
  return seen.size() * 512;
}

}  // namespace ftlab::workloads::test
