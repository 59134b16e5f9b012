// The policies' formulas without floating point, so that every target picks the same victim.
// Ages are transformed by f(age), age^exponent or another one (AgeFunction). Scores are compared as sums of logarithms.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/policy/shared_params.h"

namespace ftlab::fms {

/// log2(x) in 1/2^32; x >= 1 (0 is taken as 1). Error below 2^-28.
[[nodiscard]] std::int64_t log2_q32(std::uint64_t x);

/// 1 + log2(1 + age / unit) in 1/2^32; rounded down to a whole number where `whole`.
[[nodiscard]] std::uint64_t log_factor_q32(std::uint64_t age, std::uint64_t unit, bool whole);

/// log2(f(age)) in 1/2^32, as SharedParams::age_function says.
[[nodiscard]] inline std::int64_t log2_age_factor(std::uint64_t age, const SharedParams& shared) {
  switch (shared.age_function) {
    case AgeFunction::identity:
      return log2_q32(age);
    case AgeFunction::log:
    case AgeFunction::step: {
      const bool whole = shared.age_function == AgeFunction::step;
      return log2_q32(log_factor_q32(age, shared.age_unit, whole)) - (std::int64_t{32} << 32);
    }
    default:
      return log2_q32(age) * static_cast<std::int64_t>(shared.age_exponent) / static_cast<std::int64_t>(kExponentSteps);
  }
}

/// 1 / f(age): of powers by two tables; and what is computed of it.
class InverseAge {
 public:
  /// age^-0.3.
  InverseAge();
  /// As SharedParams::hot_function says. The tables of the usual exponent are the program's own; those of another one
  /// are computed into the arena.
  void layout(Arena& arena, const SharedParams& shared);

  /// In 1/2^31, age >= 1 (0 is taken as 1). Relative error below 1e-6 for the usual exponent and 4e-6 for 1 while the
  /// result exceeds 2^-10.
  [[nodiscard]] std::uint32_t of_q31(std::uint64_t age) const;

  /// Updates of a page over the transformed age of its last host write, in 1/2^31.
  [[nodiscard]] std::uint64_t hot_degree_q31(std::uint32_t updates, std::uint64_t age) const {
    return std::uint64_t{updates} * of_q31(age);
  }

 private:
  /// 1 / f(age) by log_factor_q32().
  [[nodiscard]] std::uint32_t by_log_q31(std::uint64_t age) const;

  AgeFunction function_ = AgeFunction::power;
  std::uint64_t unit_ = 1;
  const std::uint32_t* power_;   ///< at the cell borders of 1 <= x <= 2
  const std::uint32_t* octave_;  ///< of the powers of two
};

}  // namespace ftlab::fms
