// What an emulated medium does with a caller that breaks a promise of FlashPort.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "firmware/port/flash_port.h"

namespace ftlab::tests {

enum class OnBreach : std::uint8_t {
  stop,       ///< the process ends, naming the promise
  power_off,  ///< breach() names the promise and nothing is answered any more: for campaigns that go on with other
              ///< cases
  refuse,     ///< what the cells cannot take fails, as a part answers it; all else stops the process
  lenient,    ///< answered as cells would answer it: bits are only cleared, a page programmed twice is noise
};

/// `medium`: who complains; `promise`: what was to be kept.
[[noreturn]] inline void stop_for_breach(const char* medium, const char* promise, const FlashOp& op) {
  std::fprintf(stderr, "%s: %s (kind %u, segment %u, offset %u, length %u)\n", medium, promise,
               static_cast<unsigned>(op.kind), op.segment.value(), op.offset, op.length);
  std::abort();
}

}  // namespace ftlab::tests
