// The layer that the handover names, made on the part's flash and serving the host queue: what it wants of the part,
// its configuration and its size. Knows no driver.
#pragma once

#include <cstddef>
#include <span>

#include "firmware/driver/paged/paged_config.h"
#include "firmware/port/clock_port.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"
#include "firmware/target/handover.h"

namespace ftlab::target {

/// What a layer is made of.
struct Ground {
  FlashPort& flash;
  ProbePort& probe;
  ClockPort& clock;
  std::span<std::byte> memory;     ///< aligned for std::max_align_t
  std::size_t memory_of_part = 0;  ///< bytes in front of it
};

inline constexpr const char* kTooLarge =
    "part: needs more memory than the board has; use a smaller one, or larger pages";

/// How it wants a part that is no array to be served.
[[nodiscard]] PagedFlashConfig wish_of(const Handover& handover);
/// Sizes it, says so, and serves; refuses what does not work.
[[noreturn]] void serve_layer(const Handover& handover, const Ground& ground);

}  // namespace ftlab::target
