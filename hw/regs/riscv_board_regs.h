// Registers of a RISC-V core's board that the core itself has none of: its timer, as SiFive's CLINT has it, and the
// controller of interrupt lines, of the layout that "RISC-V Platform-Level Interrupt Controller Specification" 1.0.0
// gives it. Constants, nothing else. Accessed as words.
#pragma once

#include <cstdint>

namespace ftlab::hw::riscv_board {

/// The timer interrupts while mtime is mtimecmp or more. mtime counts cycles of the core from reset on; reset leaves
/// mtimecmp at its largest value.
inline constexpr std::uint32_t kClint = 0x02000000;
inline constexpr std::uint32_t kClintBytes = 0x10000;
inline constexpr std::uint32_t kMtimecmp = kClint + 0x4000;  ///< low word; the high one behind it
inline constexpr std::uint32_t kMtime = kClint + 0xBFF8;     ///< likewise; read

/// One context. A rising edge of a line makes its source pending, until it is claimed.
inline constexpr std::uint32_t kPlic = 0x0C000000;
inline constexpr std::uint32_t kPlicBytes = 0x400000;
inline constexpr std::uint32_t kPriority = kPlic;  ///< a word for each source; 0: never interrupts, else up to 7
inline constexpr std::uint32_t kPending = kPlic + 0x1000;      ///< a bit for each source; read
inline constexpr std::uint32_t kEnable = kPlic + 0x2000;       ///< a bit for each source
inline constexpr std::uint32_t kThreshold = kPlic + 0x200000;  ///< priorities above it interrupt
/// Read: the source of the highest priority, the lowest number first, is no longer pending; 0: there is none. Write:
/// that source is served, and may be claimed again.
inline constexpr std::uint32_t kClaim = kPlic + 0x200004;

/// Source of the board's interrupt line 0; the others follow.
inline constexpr std::uint32_t kFirstSource = 1;

}  // namespace ftlab::hw::riscv_board
