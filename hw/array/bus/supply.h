// Whether the device is powered, and for how long it has been. Knows nothing of what depends on it.
#pragma once

#include <algorithm>

#include "common/units.h"

namespace ftlab::hw::array {

class Supply {
 public:
  [[nodiscard]] bool on() const { return on_; }
  void lose(Ticks now) {
    before_ += now - since_;
    on_ = false;
  }
  void restore(Ticks now) {
    since_ = now;
    on_ = true;
  }
  [[nodiscard]] Ticks powered_time(Ticks until) const {
    return before_ + (on_ ? std::max(until - since_, Ticks::zero()) : Ticks::zero());
  }

 private:
  bool on_ = true;
  Ticks since_{};
  Ticks before_{};
};

}  // namespace ftlab::hw::array
