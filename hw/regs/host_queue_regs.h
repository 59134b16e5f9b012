// Register map of the host queue: where requests of a host come in and completions go out, any number in flight.
// Constants, nothing else. Shared by the model and by the firmware; includes no model, no SystemC.
//
// Registers have 32 bits and are accessed as words. The queue shows one request, the one that waits for longest; kNext
// takes it, and shows the one behind it. The data of a request lie in memory of the host, which the core addresses: for
// a write they are there when the request is shown, and for a read they have to be there when it is completed. Requests
// are completed in any order, each once. The line of the queue rises when a request comes to an empty queue.
#pragma once

#include <cstdint>

namespace ftlab::hw::host_queue {

inline constexpr std::uint32_t kWindowBytes = 0x100;
inline constexpr std::uint32_t kMagic = 0x51485446;  ///< "FTHQ"

namespace reg {
inline constexpr std::uint32_t kMagicAt = 0x00;  ///< read
inline constexpr std::uint32_t kWaiting = 0x04;  ///< read: 1: a request is shown
inline constexpr std::uint32_t kNext = 0x08;     ///< write, any value: the request shown is in flight from now on
inline constexpr std::uint32_t kArrival = 0x0C;  ///< read: microseconds until the next request comes, rounded down;
                                                 ///< kUnknown: when it pleases the host, or after a completion
inline constexpr std::uint32_t kCause = 0x10;    ///< a number of Cause: what the firmware works for, for the books
inline constexpr std::uint32_t kReport = 0x14;   ///< write: address of the firmware's report; it serves from now on
inline constexpr std::uint32_t kExit = 0x18;     ///< write: the program has ended, and why as an address of text
inline constexpr std::uint32_t kCoreHz = 0x1C;   ///< read: cycles of the core a second
inline constexpr std::uint32_t kDoneTag = 0x20;  ///< write: of the request that kDone completes
inline constexpr std::uint32_t kDone = 0x24;     ///< write: its FtlStatus
// Of the request that is shown; read.
inline constexpr std::uint32_t kKind = 0x40;  ///< Kind
inline constexpr std::uint32_t kTag = 0x44;
inline constexpr std::uint32_t kOffsetLow = 0x48;  ///< bytes of the device
inline constexpr std::uint32_t kOffsetHigh = 0x4C;
inline constexpr std::uint32_t kLength = 0x50;     ///< bytes
inline constexpr std::uint32_t kData = 0x54;       ///< address of the data; of a read and of a write
inline constexpr std::uint32_t kStream = 0x58;     ///< write: WriteHint::stream
inline constexpr std::uint32_t kPlacement = 0x5C;  ///< write: bit 0 WriteHint::read_only, bits 8 to 15 data_class
inline constexpr std::uint32_t kRewritten = 0x60;  ///< write: WriteHint::rewritten_in
}  // namespace reg

inline constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

/// The first four are those of HostRequestKind. Format and mount come alone, before all others.
enum class Kind : std::uint32_t { read, write, trim, flush, format, mount };

}  // namespace ftlab::hw::host_queue
