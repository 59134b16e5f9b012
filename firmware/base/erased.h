// Whether flash looks erased.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace ftlab {

/// What an erased byte reads as, and a page that nobody has written.
inline constexpr std::byte kErasedByte{0xFF};

/// All bits are 1, as after an erase. Compares the bytes with themselves one further: the library does that in the
/// widest words that there are.
[[nodiscard]] inline bool all_erased(std::span<const std::byte> bytes) {
  return bytes.empty() ||
         (bytes[0] == kErasedByte && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace ftlab
