// The ready or interrupt line of a device, and its time hint. Notifications only, no behaviour.
// A driven line changes at the very time; the core knows its edges lazily, so each access re-arms the driver.
#pragma once

#include <systemc>

#include "hw/base/device_core.h"
#include "hw/shell/time_hint.h"

namespace ftlab::hw {

class LineDriver : public sc_core::sc_module, public TimeHintIf {
 public:
  SC_HAS_PROCESS(LineDriver);
  /// Not `driven`: the line stays at its first level, and loosely timed masters ask the hint.
  LineDriver(sc_core::sc_module_name name, DeviceCore& core, sc_core::sc_out<bool>& line, bool driven);

  /// To be notified when an access ends; null where nobody drives the line.
  [[nodiscard]] sc_core::sc_event* accessed() { return driven_ ? &accessed_ : nullptr; }
  /// The line takes its level anew.
  void look() {
    if (driven_) accessed_.notify(sc_core::SC_ZERO_TIME);
  }

  [[nodiscard]] Ticks next_ready_edge(Ticks now) const override { return core_.next_ready_edge(now); }
  [[nodiscard]] Ticks next_status_change(Ticks now) const override { return core_.next_status_change(now); }

 private:
  void drive();

  DeviceCore& core_;
  sc_core::sc_out<bool>& line_;
  bool driven_;
  sc_core::sc_event accessed_;
};

}  // namespace ftlab::hw
