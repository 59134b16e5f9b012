#include "platform/run/held_energy.h"

#include <algorithm>
#include <cmath>

#include "hw/base/energy.h"

namespace ftlab::platform {

HeldEnergy::HeldEnergy(Machine& machine, OperationSink* sink, Ticks from)
    : machine_(machine),
      sink_(sink),
      from_(from),
      states_before_(machine.device().state_energy(from)),
      asleep_before_(machine.processor().asleep()) {
  machine_.ledger().set_sink(this);
}

void HeldEnergy::record(const hw::DeviceOp& op, Cause cause) {
  if (sink_ != nullptr) sink_->record(op, cause);
  if (op.end <= from_) return;
  if (op.start >= from_) {
    operations_ += op.energy;
    return;
  }
  const double share = static_cast<double>((op.end - from_).count()) / static_cast<double>((op.end - op.start).count());
  operations_ += Picojoules{std::llround(share * static_cast<double>(op.energy.count()))};
}

Picojoules HeldEnergy::until(Ticks to) const {
  const StateEnergy states = machine_.device().state_energy(to);
  Picojoules energy = operations_ + states.standby - states_before_.standby + states.sleep - states_before_.sleep;
  const DrivePower* const drawn = machine_.device().drive_power();
  if (drawn == nullptr) return energy;
  const Ticks awake = std::max(to - from_ - (machine_.processor().asleep() - asleep_before_), Ticks::zero());
  return energy + hw::energy_of(drawn->ram + drawn->controller_idle, to - from_) +
         hw::energy_of(drawn->controller_busy, awake);
}

}  // namespace ftlab::platform
