// Keeps the spare space of the die divided between the pools as page.split says (Desnoyers, section 5, Eq. 20-22): the
// pool that exceeds its share the most gives a segment.
#pragma once

#include "firmware/volume/clean/pool_choice.h"

namespace ftlab::volume {

inline std::int64_t fixed_split(const PoolView& view, std::uint32_t pool) {
  std::uint64_t spare = 0;
  for (std::uint32_t p = 0; p < view.pools; ++p) spare += view.pages_of(p) - view.valid_of(p);
  const std::uint64_t own = view.pages_of(pool) - view.valid_of(pool);
  const std::uint64_t wanted = spare * view.config.split_q16[pool] >> 16;
  return static_cast<std::int64_t>(wanted) - static_cast<std::int64_t>(own);
}

}  // namespace ftlab::volume
