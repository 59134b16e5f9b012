// The board the image is linked for: a Cortex-M4 whose external bus carries the card's two windows.
// Constants only. Addresses of on-chip memory are in board.ld.
#pragma once

#include <cstdint>

namespace ftlab::target {

/// Card windows on the external bus, 64 MiB each, 16 bits wide.
inline constexpr std::uintptr_t kCommonWindow = 0x60000000;
inline constexpr std::uintptr_t kAttributeWindow = 0x68000000;

inline constexpr std::uint32_t kCoreHz = 64'000'000;
inline constexpr std::uint32_t kTickHz = 1'000;  ///< system timer

/// External interrupt 0 is the card's ready line, rising edge.
inline constexpr std::uint32_t kReadyInterrupt = 0;

}  // namespace ftlab::target
