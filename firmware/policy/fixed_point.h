// The policies' formulas without floating point, so that every target picks the same victim.
// Ages are transformed by f(age) = age^exponent. Scores are compared as sums of logarithms.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/policy/shared_params.h"

namespace ftlab::fms {

/// log2(x) in 1/2^32; x >= 1 (0 is taken as 1). Error below 2^-28.
[[nodiscard]] std::int64_t log2_q32(std::uint64_t x);

/// log2(age^exponent) in 1/2^32; `exponent` in 1 / kExponentSteps.
[[nodiscard]] inline std::int64_t log2_age_factor(std::uint64_t age, std::uint64_t exponent) {
  return log2_q32(age) * static_cast<std::int64_t>(exponent) / static_cast<std::int64_t>(kExponentSteps);
}

/// 1 / f(age) by two tables, and what is computed of it.
class InverseAge {
 public:
  /// age^-0.3.
  InverseAge();
  /// age^-exponent. The tables of the usual exponent are the program's own; those of another one are computed into
  /// the arena.
  void layout(Arena& arena, std::uint64_t exponent);

  /// In 1/2^31, age >= 1 (0 is taken as 1). Relative error below 1e-6 for the usual exponent and 4e-6 for 1 while the
  /// result exceeds 2^-10.
  [[nodiscard]] std::uint32_t of_q31(std::uint64_t age) const;

  /// Updates of a page over the transformed age of its last host write, in 1/2^31.
  [[nodiscard]] std::uint64_t hot_degree_q31(std::uint32_t updates, std::uint64_t age) const {
    return std::uint64_t{updates} * of_q31(age);
  }
  /// Sum over i of updates[i] * f(now - stamps[i])^-1 in 1/2^31, ages of at least one tick. Exactly the sum of
  /// hot_degree_q31 over the same pages; needs the sum of all updates below 2^33.
  [[nodiscard]] std::uint64_t hot_degree_sum_q31(const std::uint32_t* updates, const std::uint64_t* stamps,
                                                 std::uint32_t count, std::uint64_t now) const;

 private:
  const std::uint32_t* power_;   ///< at the cell borders of 1 <= x <= 2
  const std::uint32_t* octave_;  ///< of the powers of two
};

}  // namespace ftlab::fms
