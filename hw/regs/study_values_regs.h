// Register map of the study values: numbers that whoever simulates gives a firmware of one's own, by names which that
// firmware has chosen; silicon has none. Constants, nothing else. Shared by the model and by firmware; includes no
// model, no SystemC.
//
// Registers have 32 bits and are accessed as words. A name is written character by character; the zero behind it has
// the value shown, until the next character is written.
#pragma once

#include <cstdint>

namespace ftlab::hw::study_values {

inline constexpr std::uint32_t kWindowBytes = 0x100;
inline constexpr std::uint32_t kLongestName = 63;  ///< characters

namespace reg {
inline constexpr std::uint32_t kName = 0x00;   ///< write: the next character of a name; 0 ends it
inline constexpr std::uint32_t kFound = 0x04;  ///< read: 1: the study gives a value of the name that has ended
inline constexpr std::uint32_t kValue = 0x08;  ///< read: that value; else 0
}  // namespace reg

}  // namespace ftlab::hw::study_values
