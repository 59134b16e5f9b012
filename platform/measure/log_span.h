// Which part of a run its logs hold: all of it, or what touches a span of its measured phase. Knows times; nothing of
// rows.
#pragma once

#include <optional>

#include "common/units.h"

namespace ftlab::platform {

class LogSpan {
 public:
  /// All of the run.
  LogSpan() = default;
  /// Counted from the begin of the measured phase; nothing before that phase is held.
  LogSpan(Ticks from, Ticks to) : whole_(false), from_(from), to_(to) {}

  [[nodiscard]] bool is_whole() const { return whole_; }
  /// Of a part: from the begin of the measured phase.
  [[nodiscard]] Ticks from() const { return from_; }
  [[nodiscard]] Ticks to() const { return to_; }
  /// The measured phase begins.
  void begin_measuring(Ticks now) { start_ = now; }
  /// What begins and ends then, or some of it, lies inside.
  [[nodiscard]] bool holds(Ticks begin, Ticks end) const {
    if (whole_) return true;
    return start_ && begin - *start_ < to_ && (end - *start_ > from_ || begin - *start_ >= from_);
  }

 private:
  bool whole_ = true;
  Ticks from_{};
  Ticks to_{};
  std::optional<Ticks> start_;  ///< none: before the measured phase
};

}  // namespace ftlab::platform
