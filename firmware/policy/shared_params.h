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

/// f(age). The papers draw it and do not write it down.
enum class AgeFunction : std::uint8_t {
  power,     ///< age^age_exponent
  identity,  ///< age
  log,       ///< 1 + log2(1 + age / age_unit)
  step,      ///< the same, rounded down
};

struct SharedParams {
  Ties ties = Ties::lowest_index;
  std::uint64_t age_exponent = kUsualExponent;    ///< of f(age), in millionths; above 0, at most 1
  AgeFunction age_function = AgeFunction::power;  ///< of segments
  AgeFunction hot_function = AgeFunction::power;  ///< of pages: the hot degree is updates / f(age)
  std::uint64_t age_unit = 100;                   ///< ticks of the policy clock; at least 1
  std::uint32_t partitions = 8;                   ///< of the data segments, see partitions.h
};

inline constexpr EnumName<Ties> kTies[] = {
    {"lowest_index", Ties::lowest_index}, {"highest_index", Ties::highest_index}, {"least_erased", Ties::least_erased}};

inline constexpr EnumName<AgeFunction> kAgeFunctions[] = {{"power", AgeFunction::power},
                                                          {"identity", AgeFunction::identity},
                                                          {"log", AgeFunction::log},
                                                          {"step", AgeFunction::step}};

inline constexpr Field<SharedParams> kSharedFields[] = {
    choice_field<&SharedParams::ties, kTies>("ties", "which of several victims of the same score is cleaned")
        .not_published()
        .is_shared(),
    scaled_field<&SharedParams::age_exponent>(
        "age_exponent", "", static_cast<double>(kExponentSteps), 0.05, 1,
        "how fast ages fade: function power of an age is the age to the power of this")
        .not_published()
        .is_shared(),
    choice_field<&SharedParams::age_function, kAgeFunctions>(
        "age_function",
        "function of a segment's age in scores: age^age_exponent, the age itself, 1 + log2(1 + age / "
        "age_unit), or that in whole steps")
        .not_published()
        .is_shared(),
    choice_field<&SharedParams::hot_function, kAgeFunctions>(
        "hot_function", "the same of a page's age: by it a hot degree, the number of updates, fades")
        .not_published(),
    integer_field<&SharedParams::age_unit>(
        "age_unit", "ticks", 1, 1e12,
        "of functions log and step: host page writes, or nanoseconds with ftl.age_clock = \"time\"")
        .not_published()
        .is_shared(),
    integer_field<&SharedParams::partitions>(
        "partitions", "", 2, 31,
        "parts of equally many segments, in order of their addresses at first; each has an open segment")
        .not_published(),
};

}  // namespace ftlab::fms
