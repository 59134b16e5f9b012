// Register map of the trace unit: counters and marks of the firmware's own, for the books of the simulator; what
// silicon has in an instrumentation trace. Constants, nothing else. Shared by the model and by firmware; includes no
// model, no SystemC.
//
// Registers have 32 bits and are accessed as words. Neither a reset nor a loss of power clears a counter.
#pragma once

#include <cstdint>

namespace ftlab::hw::trace {

inline constexpr std::uint32_t kWindowBytes = 0x100;
inline constexpr std::uint32_t kCounters = 16;
inline constexpr std::uint32_t kMarks = 16;

namespace reg {
inline constexpr std::uint32_t kCounter = 0x00;  ///< the first of kCounters; write: adds; read: the sum modulo 2^32
inline constexpr std::uint32_t kMark =
    0x40;  ///< write: the number of a mark, below kMarks, that the program has come to
}  // namespace reg

}  // namespace ftlab::hw::trace
