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

constexpr Ticks ticks_from_ns(double ns) { return Ticks{static_cast<std::int64_t>(ns * 10.0 + (ns < 0 ? -0.5 : 0.5))}; }

/// The clock of firmware: whole nanoseconds that have passed, never negative.
constexpr std::uint64_t to_ns(Ticks t) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<Nanoseconds>(t).count());
}
constexpr Ticks from_ns(std::uint64_t ns) { return Nanoseconds{static_cast<std::int64_t>(ns)}; }

constexpr double to_seconds(Ticks t) { return static_cast<double>(t.count()) * 1e-10; }

/// Energy in integer picojoules; 64 bits reach 9.2 MJ, about 5e7 segment erasures of 180 mJ.
class Picojoules {
 public:
  constexpr Picojoules() = default;
  constexpr explicit Picojoules(std::int64_t count) : count_(count) {}
  [[nodiscard]] constexpr std::int64_t count() const { return count_; }
  constexpr Picojoules& operator+=(Picojoules other) {
    count_ += other.count_;
    return *this;
  }
  constexpr Picojoules& operator-=(Picojoules other) {
    count_ -= other.count_;
    return *this;
  }
  friend constexpr Picojoules operator+(Picojoules a, Picojoules b) { return Picojoules{a.count_ + b.count_}; }
  friend constexpr Picojoules operator-(Picojoules a, Picojoules b) { return Picojoules{a.count_ - b.count_}; }
  friend constexpr Picojoules operator*(Picojoules a, std::int64_t n) { return Picojoules{a.count_ * n}; }
  friend constexpr auto operator<=>(Picojoules, Picojoules) = default;

 private:
  std::int64_t count_ = 0;
};

constexpr double to_joules(Picojoules e) { return static_cast<double>(e.count()) * 1e-12; }

inline constexpr std::uint64_t kKiB = 1024;
inline constexpr std::uint64_t kMiB = 1024 * kKiB;

}  // namespace ftlab
