// What a drive takes while capacitors hold it up: its operations as far as they lie behind the loss, its array's
// standby power, and what its RAM and its controller draw. The host is away, and feeds the link.
#pragma once

#include "platform/machine/machine.h"

namespace ftlab::platform {

class HeldEnergy final : public OperationSink {
 public:
  /// Power was lost at `from`, no earlier than what the ledger has been told of. `sink`: hears of operations as before;
  /// may be null.
  HeldEnergy(Machine& machine, OperationSink* sink, Ticks from);
  ~HeldEnergy() override { machine_.ledger().set_sink(sink_); }
  HeldEnergy(const HeldEnergy&) = delete;
  HeldEnergy& operator=(const HeldEnergy&) = delete;

  void record(const hw::DeviceOp& op, Cause cause) override;
  void occupy_bus(Ticks taken) override {
    if (sink_ != nullptr) sink_->occupy_bus(taken);
  }
  void repeat_access(std::uint64_t more, Ticks period) override {
    if (sink_ != nullptr) sink_->repeat_access(more, period);
  }
  void begin_phase(const char* name) override {
    if (sink_ != nullptr) sink_->begin_phase(name);
  }

  /// The supply goes now, and the ledger has been told of everything before. Of all since the loss.
  [[nodiscard]] Picojoules until(Ticks to) const;

 private:
  Machine& machine_;
  OperationSink* sink_;
  Ticks from_;
  StateEnergy states_before_;
  Ticks asleep_before_;
  Picojoules operations_{};
};

}  // namespace ftlab::platform
