// Register map of the board's DMA: one transfer at a time between memory and memory, or memory and a window of the
// part. Constants, nothing else. Shared by the model and by firmware; includes no model, no SystemC.
//
// Registers have 32 bits and are accessed as words. A transfer takes addresses of the core, and at a window of the part
// it is one burst: a descriptor is whole, and a record read is gone. Memory is as it was when the transfer began, or
// as it will be at its end, and belongs to it in between; so does the bus of the part, for which the core waits. The
// line of the DMA rises when a transfer ends.
#pragma once

#include <cstdint>

namespace ftlab::hw::dma {

inline constexpr std::uint32_t kWindowBytes = 0x100;

namespace reg {
inline constexpr std::uint32_t kFrom = 0x00;   ///< address; read and write
inline constexpr std::uint32_t kTo = 0x04;     ///< address; read and write
inline constexpr std::uint32_t kBytes = 0x08;  ///< read and write; at a window even
inline constexpr std::uint32_t kState = 0x0C;  ///< write kBusy: begins; read: kBusy until it has ended, then 0
}  // namespace reg

inline constexpr std::uint32_t kBusy = 1;

}  // namespace ftlab::hw::dma
