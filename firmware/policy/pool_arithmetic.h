// What pool choices need of the analytic models, in fixed point: worked out before a run, since firmware has no
// floating-point library.
#pragma once

#include <array>
#include <cstdint>

namespace ftlab::fms {

inline constexpr std::uint32_t kMaxPools = 16;

struct PoolArithmetic {
  /// split: share of the spare space of each pool, in 1 / 2^16.
  std::array<std::uint32_t, kMaxPools> split_q16{};
  /// marginal: log2 |A'(alpha)| in 1 / 2^16 over log2(alpha - 1) from kDerivativeFrom on.
  static constexpr std::int32_t kDerivativeFrom = -14;
  static constexpr std::int32_t kDerivativeSteps = 8;  ///< to a factor of two
  std::array<std::int32_t, 161> derivative_q16{};
};

}  // namespace ftlab::fms
