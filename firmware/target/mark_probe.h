// ProbePort that names the cause in a register of the host queue. Work is not counted: it takes the core's own time.
#pragma once

#include "firmware/port/probe_port.h"
#include "firmware/target/queue_registers.h"

namespace ftlab::target {

class MarkProbe final : public ProbePort {
 public:
  Cause set_cause(Cause cause) override {
    const Cause before = cause_;
    if (cause != before) queue_register(hw::host_queue::reg::kCause) = static_cast<std::uint32_t>(cause);
    cause_ = cause;
    return before;
  }
  [[nodiscard]] Cause cause() const override { return cause_; }
  void count(Work, std::uint32_t) override {}

 private:
  Cause cause_ = Cause::host;
};

}  // namespace ftlab::target
