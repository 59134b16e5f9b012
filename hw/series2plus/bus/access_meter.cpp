// The observer's view of bus cycles.
#include "hw/series2plus/bus/access_meter.h"

namespace ftlab::hw {

void AccessMeter::report(DeviceOpKind kind, std::uint32_t device, std::uint32_t address, std::uint32_t bytes, Ticks now,
                         Ticks busy, Picojoules energy) {
  DeviceOp op;
  op.kind = kind;
  op.device = device;
  op.address = address;
  op.bytes = bytes;
  op.start = now;
  op.busy = busy;
  op.end = now + busy;
  op.energy = energy;
  op.components = bytes == 1 ? 1 : 2;
  observer_->on_access(op);
}

}  // namespace ftlab::hw
