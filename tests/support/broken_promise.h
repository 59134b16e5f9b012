// How an emulated medium answers a caller that breaks a promise of FlashPort: loudly, at once.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "firmware/port/flash_port.h"

namespace ftlab::tests {

/// `medium`: who complains; `promise`: what was to be kept.
inline void require_kept(bool kept, const char* medium, const char* promise, const FlashOp& op) {
  if (kept) return;
  std::fprintf(stderr, "%s: %s (kind %u, segment %u, offset %u, length %u)\n", medium, promise,
               static_cast<unsigned>(op.kind), op.segment.value(), op.offset, op.length);
  std::abort();
}

}  // namespace ftlab::tests
