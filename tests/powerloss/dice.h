// Small random streams that a case can hand out by the hundred: one for each consumer, derived from a number.
#pragma once

#include <boost/container_hash/hash.hpp>
#include <boost/random/taus88.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>

namespace ftlab::tests {

/// A seed of its own for whatever `what` and `which` name below `seed`.
[[nodiscard]] inline std::uint64_t derive(std::uint64_t seed, std::uint64_t what, std::uint64_t which = 0) {
  std::size_t mixed = seed;
  boost::hash_combine(mixed, what);
  boost::hash_combine(mixed, which);
  return mixed;
}

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(static_cast<std::uint32_t>(seed ^ seed >> 32)) {}

  /// Both ends included.
  [[nodiscard]] std::uint32_t between(std::uint32_t from, std::uint32_t to) {
    return boost::random::uniform_int_distribution<std::uint32_t>(from, to)(random_);
  }
  [[nodiscard]] std::uint32_t below(std::uint32_t n) { return between(0, n - 1); }
  [[nodiscard]] bool chance(std::uint32_t per_thousand) { return below(1000) < per_thousand; }
  template <class Range>
  [[nodiscard]] const auto& one_of(const Range& range) {
    return range[below(static_cast<std::uint32_t>(std::size(range)))];
  }

 private:
  boost::random::taus88 random_;
};

}  // namespace ftlab::tests
