#include "hw/array/bus/access_meter.h"

namespace ftlab::hw::array {

void AccessMeter::report(DeviceOpKind kind, std::uint32_t address, std::size_t bytes, Ticks now, Ticks busy) {
  DeviceOp op;
  op.kind = kind;
  op.address = address;
  op.bytes = static_cast<std::uint32_t>(bytes);
  op.start = now;
  op.busy = busy;
  op.end = now + busy;
  observer_->on_access(op);
}

}  // namespace ftlab::hw::array
