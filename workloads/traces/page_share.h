// A share of the pages of a trace, chosen by the page alone, so that each is kept always or never.
#pragma once

#include <cmath>
#include <cstdint>

#include "workloads/random_stream.h"

namespace ftlab::workloads {

/// A page is kept when its hash is below the share times this.
inline constexpr std::uint32_t kPageHashes = 1U << 24;

[[nodiscard]] inline std::uint32_t page_hash(std::uint32_t device, std::uint64_t page) {
  return static_cast<std::uint32_t>(mix64(page ^ (std::uint64_t{device} << 40)) % kPageHashes);
}

[[nodiscard]] inline std::uint32_t kept_hashes(double share) {
  return share < 1 ? static_cast<std::uint32_t>(std::llround(share * kPageHashes)) : kPageHashes;
}

}  // namespace ftlab::workloads
