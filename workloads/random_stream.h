// One seed for a run, one independent random stream per consumer: adding a consumer changes no other one's draws.
// Boost.Random throughout, since the standard library's distributions differ between implementations.
#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <cstdint>
#include <string_view>

namespace ftlab::workloads {

using RandomEngine = boost::random::mt19937_64;

/// Scrambles all 64 bits (the finaliser of SplitMix64): neighbouring seeds give unrelated streams.
constexpr std::uint64_t mix64(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// Seed of the stream that `consumer` ("hot_cold.scatter") owns in a run with this seed.
constexpr std::uint64_t stream_seed(std::uint64_t seed, std::string_view consumer) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : consumer) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix64(mix64(seed) ^ hash);
}

}  // namespace ftlab::workloads
