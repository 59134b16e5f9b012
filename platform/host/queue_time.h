// How long requests are with a host, queued and in flight, counted twice: as the number of them over time, and as the
// sum of what each one took. Knows no request and no clock.
// Invariant (Little's law): while none is left, both are the same to the tick.
#pragma once

#include <cstdint>

#include "common/units.h"

namespace ftlab::platform {

class QueueTime {
 public:
  explicit QueueTime(Ticks start = {}) : now_(start) {}

  /// A request is there from `at` on, which may lie before the last call or in the future.
  void join(Ticks at) {
    integral_ += (now_ - at).count();
    ++count_;
  }
  /// One that joined then is not made after all.
  void withdraw(Ticks joined) {
    integral_ -= (now_ - joined).count();
    --count_;
  }
  /// One is gone that joined then, as its caller remembers.
  void complete(Ticks joined, Ticks now) {
    integral_ += Wide{count_} * (now - now_).count();
    now_ = now;
    --count_;
    taken_ += (now - joined).count();
  }

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] bool balances() const { return count_ == 0 && integral_ == taken_; }
  /// Requests x seconds: the integral of their number over time.
  [[nodiscard]] double integral_s() const { return static_cast<double>(integral_) * to_seconds(Ticks{1}); }
  /// The sum of what those that are gone took, in seconds.
  [[nodiscard]] double taken_s() const { return static_cast<double>(taken_) * to_seconds(Ticks{1}); }

 private:
  /// A thousand requests for a year are more than 64 bits of ticks.
  __extension__ using Wide = __int128;

  Ticks now_;
  std::int64_t count_ = 0;
  Wide integral_ = 0;
  Wide taken_ = 0;
};

}  // namespace ftlab::platform
