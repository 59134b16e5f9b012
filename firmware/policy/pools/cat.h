// CAT with hot and cold apart (Desnoyers, Eq. 23 and 26-28): u / (1 - u) * t / f(age) of the pools' victims. As the
// equations mean it, an age is counted in what the host writes to the pool, and t is how often the pool is cleaned.
#pragma once

#include <algorithm>
#include <cstdint>

#include "firmware/policy/fixed_point.h"
#include "firmware/policy/pool_choice.h"

namespace ftlab::fms {

/// `log_of_age`: log2 of f(age), in 1 / 2^32.
template <class LogOfAge>
std::int64_t cat_score(const PoolView& view, std::uint32_t pool, LogOfAge&& log_of_age) {
  const std::uint32_t valid = view.segments.valid(view.victims[pool]);
  if (valid == 0) return INT64_MIN;
  return log2_q32(valid) - log2_q32(view.pages_per_segment - valid) + log2_q32(view.cleanings[pool]) -
         log_of_age(log2_q32(std::max<std::uint32_t>(1, view.ages[pool])));
}

}  // namespace ftlab::fms
