// CAT with hot and cold apart (Desnoyers, Eq. 23 and 26-28): u / (1 - u) * t / f(age) of the pools' victims. As the
// equations mean it, an age is counted in what the host writes to the pool, and t is how often the pool is cleaned.
#pragma once

#include <algorithm>

#include "firmware/policy/fixed_point.h"
#include "firmware/volume/clean/pool_choice.h"

namespace ftlab::volume {

/// log2 of the score without 1 / f(age), in 1 / 2^32.
inline std::int64_t log_cost_and_times(const PoolView& view, std::uint32_t pool) {
  const std::uint32_t valid = view.segments.valid(view.victims[pool]);
  return fms::log2_q32(valid) - fms::log2_q32(view.pages_per_segment - valid) + fms::log2_q32(view.cleanings[pool]);
}

inline std::int64_t cat_linear(const PoolView& view, std::uint32_t pool) {
  if (view.segments.valid(view.victims[pool]) == 0) return INT64_MIN;
  return log_cost_and_times(view, pool) - fms::log2_q32(std::max<std::uint32_t>(1, view.ages[pool]));
}

/// f(age) = log2(age), ages in segments.
inline std::int64_t cat_log2(const PoolView& view, std::uint32_t pool) {
  if (view.segments.valid(view.victims[pool]) == 0) return INT64_MIN;
  const std::int64_t log_age =
      fms::log2_q32(std::max<std::uint32_t>(1, view.ages[pool])) - fms::log2_q32(view.pages_per_segment);
  // Below two segments the logarithm would turn the order round.
  constexpr std::int64_t kOne = std::int64_t{1} << 32;
  const std::int64_t log_log = fms::log2_q32(static_cast<std::uint64_t>(std::max(kOne, log_age))) - 32 * kOne;
  return log_cost_and_times(view, pool) - log_log;
}

}  // namespace ftlab::volume
