// Registers of a UART that sends alone, laid out as the "PrimeCell UART (PL011) Technical Reference Manual" (DDI 0183)
// has them. Constants, nothing else. Bytes, halfwords or words are written and read.
#pragma once

#include <cstdint>

namespace ftlab::hw::uart {

inline constexpr std::uint32_t kWindowBytes = 0x1000;

namespace reg {
inline constexpr std::uint32_t kData = 0x00;         ///< write: a character; read: 0, nothing is received
inline constexpr std::uint32_t kFlags = 0x18;        ///< read: kNothingToSend | kNothingReceived
inline constexpr std::uint32_t kBaudInteger = 0x24;  ///< kept; so are the next three
inline constexpr std::uint32_t kBaudFraction = 0x28;
inline constexpr std::uint32_t kLineControl = 0x2C;
inline constexpr std::uint32_t kControl = 0x30;
}  // namespace reg

inline constexpr std::uint32_t kNothingToSend = 0x80;    ///< TXFE
inline constexpr std::uint32_t kNothingReceived = 0x10;  ///< RXFE

}  // namespace ftlab::hw::uart
