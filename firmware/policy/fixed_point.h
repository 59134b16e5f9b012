// The policies' formulas without floating point, so that every target picks the same victim.
// Ages are transformed by f(age) = age^0.3. Scores are compared as sums of logarithms.
#pragma once

#include <cstdint>

namespace ftlab::fms {

/// log2(x) in 1/2^32; x >= 1 (0 is taken as 1). Error below 2^-28.
[[nodiscard]] std::int64_t log2_q32(std::uint64_t x);

/// log2(age^0.3) in 1/2^32.
[[nodiscard]] inline std::int64_t log2_age_factor(std::uint64_t age) { return log2_q32(age) * 3 / 10; }

/// age^-0.3 in 1/2^31, age >= 1 (0 is taken as 1). Relative error below 1e-6 while the result exceeds 2^-10.
[[nodiscard]] std::uint32_t inverse_age_factor_q31(std::uint64_t age);

/// Sum over i of updates[i] * (now - stamps[i])^-0.3 in 1/2^31, ages of at least one tick. Exactly the sum of
/// hot_degree_q31 over the same pages; needs the sum of all updates below 2^33.
[[nodiscard]] std::uint64_t hot_degree_sum_q31(const std::uint32_t* updates, const std::uint64_t* stamps,
                                               std::uint32_t count, std::uint64_t now);

/// Updates of a page over the transformed age of its last host write, in 1/2^31.
[[nodiscard]] inline std::uint64_t hot_degree_q31(std::uint32_t updates, std::uint64_t age) {
  return std::uint64_t{updates} * inverse_age_factor_q31(age);
}

}  // namespace ftlab::fms
