// Physical units shared by every layer.
// Does not know SystemC: hw converts Ticks to sc_time at its own border.
#pragma once

#include <chrono>
#include <cstdint>
#include <ratio>

namespace ftlab {

/// Simulated time. One tick is 100 ps, so that a 15.15 ns clock is representable and a signed 64-bit count
/// still spans 29 years of simulated time (lifetime studies need years; 1 ps would break after 106 days).
using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000'000>>;

using Nanoseconds = std::chrono::duration<std::int64_t, std::nano>;

/// A time that is never reached.
inline constexpr Ticks kNever = Ticks::max();

/// The simulated clock ends after 28 years: a year before 64 bits do, so that what begins on it has an end.
inline constexpr Ticks kClockEnd = std::chrono::hours{24} * 365 * 28;

/// So much later, at most the last time before kNever; `by` may be negative.
constexpr Ticks later(Ticks t, Ticks by) {
  constexpr Ticks kLast = kNever - Ticks{1};
  return by > Ticks::zero() && t > kLast - by ? kLast : t + by;
}

constexpr Ticks ticks_from_ns(double ns) { return Ticks{static_cast<std::int64_t>(ns * 10.0 + (ns < 0 ? -0.5 : 0.5))}; }

/// The clock of firmware: whole nanoseconds that have passed, never negative.
constexpr std::uint64_t to_ns(Ticks t) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<Nanoseconds>(t).count());
}
constexpr Ticks from_ns(std::uint64_t ns) { return Nanoseconds{static_cast<std::int64_t>(ns)}; }

constexpr double to_seconds(Ticks t) { return static_cast<double>(t.count()) * 1e-10; }

inline constexpr std::uint64_t kKiB = 1024;
inline constexpr std::uint64_t kMiB = 1024 * kKiB;

}  // namespace ftlab
