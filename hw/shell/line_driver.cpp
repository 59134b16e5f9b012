#include "hw/shell/line_driver.h"

#include "hw/shell/kernel_time.h"

namespace ftlab::hw {

LineDriver::LineDriver(sc_core::sc_module_name name, DeviceCore& core, sc_core::sc_out<bool>& line, bool driven)
    : sc_core::sc_module(name), core_(core), line_(line), driven_(driven) {
  line_.initialize(core_.line_level(Ticks::zero()));
  if (!driven_) return;
  SC_METHOD(drive);
  sensitive << accessed_;
}

/// Runs after every access and at the next change of the line that nobody caused.
void LineDriver::drive() {
  const Ticks now = to_ticks(sc_core::sc_time_stamp());
  core_.advance_to(now);
  line_.write(core_.line_level(now));
  const Ticks next = core_.next_line_change(now);
  if (next != kNever) next_trigger(to_sc_time(next - now), accessed_);
}

}  // namespace ftlab::hw
