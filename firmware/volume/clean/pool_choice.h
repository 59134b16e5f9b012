// From which pool the next victim comes. A member is one file in pools/ and its entry in pool_choices.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "firmware/base/arena.h"
#include "firmware/volume/lists/segments.h"
#include "firmware/volume/volume_config.h"

namespace ftlab::volume {

/// What is known of the pools of one die.
struct PoolView {
  const Segments& segments;
  const VolumeConfig& config;
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

/// A score for a pool that has a victim: the lowest is cleaned, of equals the first.
struct PoolChoiceEntry {
  std::string_view name;
  std::string_view help;
  std::int64_t (*score)(const PoolView& view, std::uint32_t pool) = nullptr;
};

[[nodiscard]] std::span<const PoolChoiceEntry> pool_choices();

}  // namespace ftlab::volume
