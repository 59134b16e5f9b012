// CRC-32C of small on-flash records. Knows nothing of what they hold.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ftlab {

/// `seed`: 0, or the result for the bytes before, to go on.
[[nodiscard]] std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t seed = 0);

}  // namespace ftlab
