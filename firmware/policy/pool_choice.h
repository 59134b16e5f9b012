// From which pool of a die the next victim comes, where pages of several classes lie apart. A selection gives the
// victim of each pool; the choice scores the pools.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/map/listed_segments.h"
#include "firmware/policy/policy.h"
#include "firmware/policy/pool_arithmetic.h"

namespace ftlab::fms {

/// What is known of the pools of one die.
struct PoolView {
  const ListedSegments& segments;
  const PoolArithmetic& arithmetic;
  std::uint32_t die = 0;
  std::uint32_t pools = 1;
  std::uint32_t pages_per_segment = 0;
  std::span<const std::uint32_t> victims;    ///< of each pool, or kNoSegment where there is nothing to gain
  std::span<const std::uint32_t> ages;       ///< of those, in pages that the host wrote to their pool since they filled
  std::span<const std::uint64_t> writes;     ///< of the host to each pool lately; never 0
  std::span<const std::uint64_t> cleanings;  ///< of each pool lately; never 0

  [[nodiscard]] std::uint32_t group(std::uint32_t pool) const { return die * pools + pool; }
  [[nodiscard]] std::uint64_t pages_of(std::uint32_t pool) const {
    return std::uint64_t{segments.listed_in(group(pool))} * pages_per_segment;
  }
  [[nodiscard]] std::uint64_t valid_of(std::uint32_t pool) const { return segments.valid_in(group(pool)); }
};

class PoolChoice : public Policy {
 public:
  using Family = PoolChoice;
  static constexpr std::uint32_t kStreams = 0;
  /// Of a pool that has a victim: the lowest is cleaned, of equals the first.
  virtual std::int64_t score(const PoolView& view, std::uint32_t pool) = 0;

  /// What is known of a member beside what is of all policies.
  struct Traits {
    bool one_pool = false;  ///< all classes are cleaned as one pool
  };
  template <class P>
  static constexpr Traits traits() {
    Traits traits;
    if constexpr (requires { P::kOnePool; }) traits.one_pool = P::kOnePool;
    return traits;
  }

 protected:
  ~PoolChoice() = default;
};

}  // namespace ftlab::fms
