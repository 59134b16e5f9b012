// Pages that tests of FMS write: those of small_config(), each filled with one value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ftlab::tests {

inline constexpr std::uint32_t kPage = 256;
/// Leaves room for segments that go bad.
inline constexpr std::uint32_t kRoomyPages = 60;

inline std::vector<std::byte> page_of(std::uint32_t value, std::size_t bytes = kPage) {
  return std::vector<std::byte>(bytes, static_cast<std::byte>(value));
}

}  // namespace ftlab::tests
