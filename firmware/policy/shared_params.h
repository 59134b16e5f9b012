// Choices that several policies share, where the papers leave them open. A policy names the keys it uses in `kUses`;
// where no chosen policy does, a key has no effect.
#pragma once

#include <cstdint>

#include "common/fields.h"
#include "firmware/policy/ties.h"

namespace ftlab::fms {

/// SharedParams::age_exponent is kept in these.
inline constexpr std::uint64_t kExponentSteps = 1'000'000;
/// f(age) = age^0.3.
inline constexpr std::uint64_t kUsualExponent = 300'000;

struct SharedParams {
  Ties ties = Ties::lowest_index;
  std::uint64_t age_exponent = kUsualExponent;  ///< of f(age), in millionths; above 0, at most 1
};

inline constexpr EnumName<Ties> kTies[] = {
    {"lowest_index", Ties::lowest_index}, {"highest_index", Ties::highest_index}, {"least_erased", Ties::least_erased}};

inline constexpr Field<SharedParams> kSharedFields[] = {
    choice_field<&SharedParams::ties, kTies>("ties", "which of several victims of the same score is cleaned")
        .not_published(),
    scaled_field<&SharedParams::age_exponent>(
        "age_exponent", "", static_cast<double>(kExponentSteps), 0.05, 1,
        "how fast ages fade: the policies' function of an age is the age to the power of this")
        .not_published(),
};

}  // namespace ftlab::fms
