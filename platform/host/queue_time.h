// How long requests are with a host, queued and in flight, counted twice: as the number of them over time, and as the
// sum of what each one took. Knows no request and no clock.
// Invariant (Little's law): while none is left, both are the same to the tick.
#pragma once

#include <cstdint>

#include "common/sums.h"

namespace ftlab::platform {

class QueueTime {
 public:
  explicit QueueTime(Ticks start = {}) : now_(start) {}

  /// A request is there from `at` on, which may lie before the last call or in the future.
  void join(Ticks at) {
    integral_ += now_ - at;
    ++count_;
  }
  /// One that joined then is not made after all.
  void withdraw(Ticks joined) {
    integral_ -= now_ - joined;
    --count_;
  }
  /// One is gone that joined then, as its caller remembers.
  void complete(Ticks joined, Ticks now) {
    integral_ += TickSum(now - now_) * count_;
    now_ = now;
    --count_;
    taken_ += now - joined;
  }

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] bool balances() const { return count_ == 0 && integral_ == taken_; }
  /// Of their number over time: request-seconds.
  [[nodiscard]] TickSum integral() const { return integral_; }
  /// The sum of what those that are gone took.
  [[nodiscard]] TickSum taken() const { return taken_; }

 private:
  Ticks now_;
  std::int64_t count_ = 0;
  TickSum integral_;
  TickSum taken_;
};

}  // namespace ftlab::platform
