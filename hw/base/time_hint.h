// What a master may ask a device instead of polling it a million times.
// Not a bus access: no time passes and no state changes.
#pragma once

#include "common/units.h"

namespace ftlab::hw {

class TimeHint {
 public:
  virtual ~TimeHint() = default;
  /// Earliest time > now at which the ready/interrupt line goes active if nobody accesses the device; kNever if not.
  [[nodiscard]] virtual Ticks next_ready_edge(Ticks now) const = 0;
  /// Earliest time > now at which any readable status changes by itself; kNever if nothing is under way.
  [[nodiscard]] virtual Ticks next_status_change(Ticks now) const = 0;
};

}  // namespace ftlab::hw
