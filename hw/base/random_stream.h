// One seed, one stream per consumer: streams with different keys are independent of each other.
#pragma once

#include <boost/random/seed_seq.hpp>
#include <boost/random/taus88.hpp>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace ftlab::hw {

inline boost::random::taus88 make_stream(std::uint64_t seed, std::initializer_list<std::uint32_t> consumer) {
  std::vector<std::uint32_t> key{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  key.insert(key.end(), consumer);
  boost::random::seed_seq sequence(key.begin(), key.end());
  return boost::random::taus88(sequence);
}

}  // namespace ftlab::hw
