// Whether flash looks erased.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace ftlab {

/// All bits are 1, as after an erase. Compares the bytes with themselves one further: the library does that in the
/// widest words that there are.
[[nodiscard]] inline bool all_erased(std::span<const std::byte> bytes) {
  return bytes.empty() ||
         (bytes[0] == std::byte{0xFF} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace ftlab
