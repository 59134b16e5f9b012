// When a channel is taken: reservations ahead, sorted, and the earliest gap between them.
// Knows nothing of dies or of what crosses it. Two reservations with too little between them for anybody are one.
// Beyond kMax reservations ahead the smallest gap is given up.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "common/units.h"

namespace ftlab::hw::array {

class Channel {
 public:
  struct Reservation {
    Ticks begin{};
    Ticks end{};
  };

  /// Nobody asks for less than `shortest`.
  explicit Channel(Ticks shortest) : shortest_(shortest) {}

  /// The earliest free `length` at or after `from`, which is taken; `now`: nobody will ask for earlier than that.
  Ticks reserve(Ticks now, Ticks from, Ticks length) {
    time_ += length;
    if (from >= last_end_) {
      // Nearly every transfer of a host that waits: nothing is ahead.
      if (last_end_ <= now) count_ = 0;
      append(now, from, from + length);
      return from;
    }
    return reserve_between(now, from, length);
  }
  /// Sum of what was ever taken.
  [[nodiscard]] Ticks time() const { return time_; }
  /// Nothing is ahead any more, and so much of what was taken never is.
  void stop(Ticks ahead) {
    time_ -= ahead;
    clear();
  }
  void clear() {
    count_ = 0;
    last_end_ = Ticks::zero();
  }

  [[nodiscard]] std::span<const Reservation> ahead() const { return std::span(taken_).first(count_); }
  /// So much is taken elsewhere, see Crossings.
  void count(Ticks length) { time_ += length; }
  /// One that was counted there; they come by their begins.
  void take_over(Ticks now, const Reservation& counted) {
    const Ticks begin = std::max(counted.begin, last_end_);
    if (counted.end > begin) append(now, begin, counted.end);
  }

 private:
  static constexpr std::uint32_t kMax = 64;

  [[nodiscard]] bool joins(Ticks end, Ticks begin) const { return begin - end < shortest_ || begin == end; }
  void append(Ticks now, Ticks begin, Ticks end) {
    if (count_ > 0 && joins(taken_[count_ - 1].end, begin)) {
      taken_[count_ - 1].end = end;
    } else {
      if (count_ == kMax) forget_before(now);
      if (count_ == kMax) close_smallest_gap();
      taken_[count_++] = {begin, end};
    }
    last_end_ = end;
  }
  Ticks reserve_between(Ticks now, Ticks from, Ticks length);
  void insert(Ticks now, std::uint32_t at, Ticks begin, Ticks end);
  void forget_before(Ticks now);
  void close_smallest_gap();

  std::array<Reservation, kMax> taken_{};  ///< sorted, apart
  std::uint32_t count_ = 0;
  Ticks last_end_{};
  Ticks time_{};
  Ticks shortest_;
};

}  // namespace ftlab::hw::array
