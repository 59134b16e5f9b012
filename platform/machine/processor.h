// The processor that runs the firmware, as devices, runs and the books see it: bus windows by name, the line that wakes
// it, its clock, and why it works. Knows no firmware: one that executes C++ natively and one that interprets
// instructions look the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <systemc>
#include <tlm>
#include <utility>

#include "common/host_page_watcher.h"
#include "common/input_error.h"
#include "common/units.h"
#include "firmware/port/clock_port.h"
#include "firmware/port/probe_port.h"
#include "hw/shell/time_hint.h"
#include "platform/machine/core_totals.h"
#include "platform/machine/driver_ports.h"

namespace ftlab::platform {

using WindowSocket = tlm::tlm_initiator_socket<16>;

/// Which cycle of the bridge an access to a window takes.
enum class BusCycle : std::uint8_t { memory, attribute };

/// Simulated time came to kClockEnd.
class ClockEnded : public InputError {
 public:
  ClockEnded() : InputError("simulated time reaches 28 years, where the clock ends") {}
};

/// Power is lost while firmware runs. It is left as it stands: built without exceptions, it has nothing to run on the
/// way.
class PowerLost : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "power was lost and nobody mounts again"; }
};

/// Looks at what a device does by itself while time passes.
class TimeWatcher {
 public:
  virtual ~TimeWatcher() = default;
  /// Behind a bus access it may be later than asked for. Gives the next time, which lies behind `now`; kNever: none.
  virtual Ticks look(Ticks now) = 0;
};

class Processor : public sc_core::sc_module, public ProbePort, public ClockPort {
 public:
  sc_core::sc_in<bool> ready{"ready"};            ///< the device's line: high when it has finished
  sc_core::sc_port<hw::TimeHintIf> hint{"hint"};  ///< the device's next edges, so that waiting needs no polling

  /// For a device to bind, under its own name; before the simulation starts.
  virtual WindowSocket& add_window(std::string_view name, BusCycle cycle) = 0;
  /// For drivers compiled for the simulating machine; null: firmware has its own.
  [[nodiscard]] virtual DriverPorts* driver_ports() { return nullptr; }

  /// Of a simulated core, since the start; nothing natively.
  [[nodiscard]] virtual std::optional<CoreTotals> core_totals() const { return {}; }

  [[nodiscard]] Ticks now() const { return now_; }
  [[nodiscard]] std::uint64_t now_ns() final { return to_ns(now_); }
  /// Lets time pass. Like all that takes time it throws ClockEnded, at the latest a quantum behind the end of the
  /// clock.
  virtual void advance(Ticks dt) = 0;
  void sleep_until(Ticks t) {
    if (t <= now_) return;
    const Ticks from = now_;
    advance(t - now_);
    sleep(now_ - from);
  }
  /// For which it has waited, for a device or a host, since the start.
  [[nodiscard]] const Ticks& asleep() const { return asleep_; }
  /// The watcher hears what firmware says of pages; null: nobody does. False: nothing is heard of firmware here.
  virtual bool watch_pages(HostPageWatcher* /*watcher*/) { return false; }
  void sleep_until_ns(std::uint64_t at_ns) final { sleep_until(from_ns(at_ns)); }
  /// What takes time beyond `t` throws PowerLost, once, at `t`; a bus access under way ends first, since the device has
  /// seen it. In the past: the next thing that takes time, or none. kNever: nothing is planned any more.
  virtual void lose_power_at(Ticks t) = 0;
  /// The same once so many instructions have been executed, as core_totals() counts them; kNoInstruction: never. Those
  /// of a processor that counts none come to nothing.
  static constexpr std::uint64_t kNoInstruction = std::numeric_limits<std::uint64_t>::max();
  virtual void lose_power_behind(std::uint64_t /*instructions*/) {}
  /// While held a loss of power throws nothing: capacitors feed the firmware, and fails_at() says since when. Gives
  /// what was so before. Natively alone.
  bool hold_power(bool held) { return std::exchange(held_, held); }
  /// Is called at a loss that throws nothing, in the middle of what the firmware does; empty: nobody is.
  void when_power_fails(std::function<void()> act) { at_failure_ = std::move(act); }
  /// When power was lost; kNever: it was not while held.
  [[nodiscard]] Ticks failed_at() const { return failed_at_; }
  /// It is now, unless it was before.
  void fail() { failed_at_ = std::min(failed_at_, now_); }
  void forget_failure() { failed_at_ = kNever; }
  /// The measured phase begins, or ends; inside it a loss of power that nobody has planned is mounted again.
  virtual void measures(bool) {}
  /// While none is in flight: so many requests of the host are at most, until the firmware starts again; 0: as many as
  /// the study says.
  virtual void expect_requests(std::uint32_t) {}
  /// It looks as soon as time passes, and then when it says. Null: nobody looks.
  virtual void watch_time(TimeWatcher* watcher) = 0;
  /// The device may do something earlier than the watcher knows.
  virtual void look_soon() = 0;
  /// After sc_start: throws what the firmware threw (an exception must not cross the kernel's coroutines).
  void rethrow_error() const;

 protected:
  /// `program` runs in a SystemC thread; when it returns, so does sc_start.
  Processor(sc_core::sc_module_name name, std::function<void()> program);
  /// The kernel follows the local clock. Throws what ends the clock or the power.
  virtual void synchronise() = 0;
  /// Nothing follows.
  virtual void program_has_ended() {}
  /// So much of what has passed it slept.
  virtual void sleep(Ticks dt) { asleep_ += dt; }

  /// Power is lost now.
  void lose() {
    if (!held_) throw PowerLost();
    if (failed_at_ != kNever) return;
    fail();
    if (at_failure_) at_failure_();
  }
  [[nodiscard]] bool held() const { return held_; }

  Ticks now_{};  ///< local time, at most a quantum ahead of the kernel's
  Ticks asleep_{};

 private:
  void thread();

  std::function<void()> program_;
  std::exception_ptr error_;
  bool held_ = false;
  std::function<void()> at_failure_;
  Ticks failed_at_ = kNever;
};

class Ledger;
/// Makes the processor inside a SystemC hierarchy under construction. `program` runs on it when the simulation starts.
using ProcessorFactory = std::function<std::unique_ptr<Processor>(Ledger& ledger, std::function<void()> program)>;

}  // namespace ftlab::platform
