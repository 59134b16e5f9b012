// The board the image is linked for: a Cortex-M4 whose external bus carries the card's two windows, and a host queue.
// Constants only, for the simulated board as well. Addresses of on-chip memory are those of board.ld.
#pragma once

#include <cstdint>

namespace ftlab::target {

inline constexpr std::uint32_t kFlash = 0x00000000;
inline constexpr std::uint32_t kFlashBytes = 512 * 1024;
inline constexpr std::uint32_t kRam = 0x20000000;
inline constexpr std::uint32_t kRamBytes = 1024 * 1024;

/// Registers of the host queue (hw/regs/host_queue_regs.h), and the host's memory, where data of requests lie.
inline constexpr std::uint32_t kHostQueue = 0x40000000;
inline constexpr std::uint32_t kHostMemory = 0x70000000;
inline constexpr std::uint32_t kHostMemoryBytes = 16 * 1024 * 1024;

/// Card windows on the external bus, 64 MiB each, 16 bits wide.
inline constexpr std::uint32_t kCommonWindow = 0x60000000;
inline constexpr std::uint32_t kAttributeWindow = 0x68000000;
inline constexpr std::uint32_t kWindowBytes = 64 * 1024 * 1024;

inline constexpr std::uint32_t kTickHz = 1'000;  ///< system timer

/// External interrupts, both by a rising edge: the card's ready line, and the line of the host queue.
inline constexpr std::uint32_t kReadyInterrupt = 0;
inline constexpr std::uint32_t kQueueInterrupt = 1;

}  // namespace ftlab::target
