// The pool whose victim has the fewest valid pages: one greedy cleaning over all pools (Desnoyers, section 5).
#pragma once

#include "firmware/volume/clean/pool_choice.h"

namespace ftlab::volume {

inline std::int64_t fewest_valid(const PoolView& view, std::uint32_t pool) {
  return view.segments.valid(view.victims[pool]);
}

}  // namespace ftlab::volume
