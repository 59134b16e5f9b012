// CRC-32C of small on-flash records. Knows nothing of what they hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ftlab {

/// `seed`: 0, or the result for the bytes before, to go on.
[[nodiscard]] std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t seed = 0);

/// The one bit of `bytes` that, read wrong, changes their checksum by `difference`: counted from the lowest bit of the
/// first byte. Nothing: no single bit does.
[[nodiscard]] std::optional<std::size_t> crc32c_wrong_bit(std::uint32_t difference, std::size_t bytes);

}  // namespace ftlab
