// The processor that runs the firmware: a SystemC thread with a local clock, two bus windows and the ready line.
// Knows bus cycles, timer ticks and CPU prices of the host profile; nothing of flash, FTLs or workloads.
//
// Time is loosely timed: the clock runs ahead of the kernel by at most a quantum. In event-accurate mode every wait
// synchronises with the kernel and listens to the ready line; in loose mode the wait asks the device's TimeHintIf.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <systemc>
#include <tlm>

#include "firmware/port/clock_port.h"
#include "firmware/port/probe_port.h"
#include "hw/shell/time_hint.h"
#include "platform/machine/bus_window.h"
#include "platform/machine/host_profile.h"
#include "platform/measure/ledger.h"

namespace ftlab::platform {

struct CpuOptions {
  bool event_accurate = false;
  Ticks quantum = std::chrono::seconds{1};  ///< how far the local clock may run ahead of the kernel
};

class FirmwareCpu : public sc_core::sc_module, public ProbePort, public ClockPort {
 public:
  tlm::tlm_initiator_socket<16> common_initiator;
  /// A second window; parts that have but one leave it unbound.
  tlm::tlm_initiator_socket<16, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND> attribute_initiator;
  sc_core::sc_in<bool> ready;  ///< device ready line, used in event-accurate mode
  sc_core::sc_port<hw::TimeHintIf> hint;

  FirmwareCpu(sc_core::sc_module_name name, const HostProfile& profile, const CpuOptions& options, Ledger& ledger,
              std::function<void()> program);
  ~FirmwareCpu() override;

  /// After sc_start: throws what the program threw (an exception must not cross the kernel's coroutines).
  void rethrow_error() const;

  [[nodiscard]] MmioPort& common();
  [[nodiscard]] MmioPort& attribute();

  [[nodiscard]] Ticks now() const { return now_; }
  [[nodiscard]] std::uint64_t now_ns() override { return static_cast<std::uint64_t>(now_.count() / 10); }
  void sleep_until_ns(std::uint64_t at_ns) override { sleep_until(Ticks{static_cast<std::int64_t>(at_ns) * 10}); }
  /// Lets time pass: CPU busy or asleep, booked under the current cause.
  void advance(Ticks dt);
  void sleep_until(Ticks t);

  Cause set_cause(Cause cause) override { return ledger_.set_cause(cause); }
  void count(Work kind, std::uint32_t n) override;

 private:
  friend class BusWindow;

  /// As advance(), for a bus access after which the clock is `ahead` of the kernel.
  void advance_bus(Ticks dt, const sc_core::sc_time& ahead) {
    now_ += dt;
    ahead_ = ahead;
    ledger_.elapse(dt);
    ledger_.add_bus_time(dt);
    if (now_ - kernel_now_ > options_.quantum) synchronise();
  }

  void thread();
  void start_of_simulation() override;
  void synchronise();
  /// Sleeps until the device's ready line rises after `sampled` (plus interrupt latency) or `deadline`.
  void sleep_for_ready(Ticks sampled, Ticks deadline);
  /// First timer expiry at least `interval` rounded to the timer grid after now.
  [[nodiscard]] Ticks timer_expiry(Ticks interval) const;

  class QuietBackward;

  const HostProfile profile_;
  const CpuOptions options_;
  Ledger& ledger_;
  std::function<void()> program_;
  std::unique_ptr<QuietBackward> backward_;
  BusWindow common_window_;
  BusWindow attribute_window_;
  std::exception_ptr error_;
  Ticks now_{};             ///< local time
  Ticks kernel_now_{};      ///< sc_time_stamp() at the last synchronisation
  sc_core::sc_time ahead_;  ///< now_ - kernel_now_ once more: making an sc_time costs as much as a register access
};

}  // namespace ftlab::platform
