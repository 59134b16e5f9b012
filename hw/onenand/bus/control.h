// Supply, RP# pin and resets of the whole device, and how long it has been powered.
// Knows no bus cycle. Callers have brought the dies to the time they give.
#pragma once

#include <algorithm>

#include "hw/onenand/bus/bus_meter.h"
#include "hw/onenand/commands/dies.h"
#include "hw/onenand/context.h"

namespace ftlab::hw {

class OneNandControl {
 public:
  OneNandControl(OneNandContext& device, BusMeter& meter, Dies& dies) : device_(device), meter_(meter), dies_(dies) {}

  void reset_pin(Ticks t, bool asserted);
  void lose_power(Ticks t);
  void restore_power(Ticks t);
  /// The command: registers as after power-up, work under way on every die is left half done.
  void hot_reset(Ticks t);

  /// Bus and INT pin work.
  [[nodiscard]] bool answers() const { return powered_ && !in_reset_; }
  [[nodiscard]] Ticks powered_time(Ticks until) const {
    return powered_before_ + (powered_ ? std::max(until - powered_since_, Ticks::zero()) : Ticks::zero());
  }

 private:
  void default_registers();
  void halt(Ticks t);

  OneNandContext& device_;
  BusMeter& meter_;
  Dies& dies_;
  bool powered_ = true;
  bool in_reset_ = false;
  bool booted_ = true;  ///< since the supply came up
  Ticks powered_since_{};
  Ticks powered_before_{};
};

}  // namespace ftlab::hw
