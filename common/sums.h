// Sums over a whole run, of times of many devices or requests and of energy: 128 bits, which nothing that is simulated
// fills. For the simulating machine; firmware, which runs on 32-bit targets, counts in units.h.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

#include "common/units.h"

namespace ftlab {

__extension__ using Int128 = __int128;

/// Times of devices or requests that overlap: component-seconds, request-seconds.
class TickSum {
 public:
  constexpr TickSum() = default;
  // Every time is a sum of one.
  // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions)
  template <class Rep, class Period>
  constexpr TickSum(std::chrono::duration<Rep, Period> time) : count_(Ticks{time}.count()) {}
  [[nodiscard]] constexpr Int128 count() const { return count_; }
  constexpr TickSum& operator+=(TickSum other) {
    count_ += other.count_;
    return *this;
  }
  constexpr TickSum& operator-=(TickSum other) {
    count_ -= other.count_;
    return *this;
  }
  friend constexpr TickSum operator+(TickSum a, TickSum b) { return a += b; }
  friend constexpr TickSum operator-(TickSum a, TickSum b) { return a -= b; }
  friend constexpr TickSum operator*(TickSum a, std::int64_t n) {
    a.count_ *= n;
    return a;
  }
  friend constexpr bool operator==(TickSum, TickSum) = default;
  friend constexpr auto operator<=>(TickSum, TickSum) = default;

 private:
  Int128 count_ = 0;
};

constexpr double to_seconds(TickSum t) { return static_cast<double>(t.count()) * 1e-10; }

/// Energy in integer picojoules.
class Picojoules {
 public:
  constexpr Picojoules() = default;
  constexpr explicit Picojoules(Int128 count) : count_(count) {}
  [[nodiscard]] constexpr Int128 count() const { return count_; }
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
  friend constexpr bool operator==(Picojoules, Picojoules) = default;
  friend constexpr auto operator<=>(Picojoules, Picojoules) = default;

 private:
  Int128 count_ = 0;
};

constexpr double to_joules(Picojoules e) { return static_cast<double>(e.count()) * 1e-12; }

}  // namespace ftlab
