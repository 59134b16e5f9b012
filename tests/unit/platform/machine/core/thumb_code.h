// Thumb instructions of small programs, and their halfwords.
#pragma once

#include <cstdint>
#include <vector>

namespace ftlab::platform {

using Code = std::vector<std::uint16_t>;

// ldr rN, [pc, #4 * words]: the literal lies so many words behind the word of the next instruction but one.
constexpr std::uint16_t load(unsigned reg, unsigned words) {
  return static_cast<std::uint16_t>(0x4800U | reg << 8 | words);
}
constexpr std::uint16_t kStoreR1 = 0x6001;      // str r1, [r0]
constexpr std::uint16_t kStoreHalfR1 = 0x8001;  // strh r1, [r0]
constexpr std::uint16_t kReadHalfR1 = 0x8801;   // ldrh r1, [r0]
constexpr std::uint16_t kWait = 0xBF30;         // wfi
constexpr std::uint16_t kStay = 0xE7FE;         // b .
constexpr std::uint16_t kNothing = 0xBF00;      // nop

}  // namespace ftlab::platform
