// Sizes of pages that a message can recommend. Knows the range of ftl.page_bytes; no part.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ftlab::platform {

inline constexpr std::uint32_t kMinPageBytes = 256;
inline constexpr std::uint32_t kMaxPageBytes = 65536;

/// Those for which `works(bytes)` is true, the least first.
template <class Works>
std::vector<std::uint32_t> page_sizes_that(Works&& works) {
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t bytes = kMinPageBytes; bytes <= kMaxPageBytes; bytes *= 2)
    if (works(bytes)) sizes.push_back(bytes);
  return sizes;
}

/// What to do about ftl.page_bytes where those work.
inline std::string use_one_of(const std::vector<std::uint32_t>& sizes) {
  return sizes.empty() ? "leave the key out" : fmt::format("use {}", fmt::join(sizes, ", "));
}

}  // namespace ftlab::platform
