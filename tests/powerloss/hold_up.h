// What a drive with capacitors does before it loses its supply, of layers that say so by kHoldsUp.
#pragma once

#include <cstdint>

#include "firmware/ftl/ftl.h"
#include "tests/fixtures/page_oracle.h"

namespace ftlab::tests {

template <class Layer>
constexpr bool holds_up() {
  return requires { Layer::kHoldsUp; };
}

/// All that was answered is durable now. False: at the end of its life the volume has no place for it.
template <class Layer>
bool hold_up(Ftl& ftl, PageOracle& oracle, std::uint64_t now_ns) {
  if constexpr (holds_up<Layer>()) {
    if (ftl.write_out(now_ns) != FtlStatus::ok) return false;
    oracle.acknowledge_flush();
  }
  return true;
}

}  // namespace ftlab::tests
