// A processor that runs firmware compiled for the simulating machine: a SystemC thread with a local clock.
// Knows bus cycles, timer ticks and CPU costs of its profile; nothing of flash, FTLs or workloads.
//
// Time is loosely timed: the clock runs ahead of the kernel by at most a quantum. In event-accurate mode every wait
// synchronises with the kernel and listens to the ready line; in loose mode the wait asks the device's TimeHintIf.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "hw/shell/kernel_time.h"
#include "platform/files/processor_profile.h"
#include "platform/machine/bus_window.h"
#include "platform/machine/ledger.h"
#include "platform/machine/processor.h"
#include "platform/machine/quiet_backward.h"

namespace ftlab::platform {

struct ProcessorOptions {
  bool event_accurate = false;
  Ticks quantum = std::chrono::seconds{1};  ///< how far the local clock may run ahead of the kernel
};

class NativeProcessor final : public Processor, private DriverPorts {
 public:
  NativeProcessor(sc_core::sc_module_name name, const ProcessorProfile& profile, const ProcessorOptions& options,
                  Ledger& ledger, std::function<void()> program);
  ~NativeProcessor() override;

  WindowSocket& add_window(std::string_view name, BusCycle cycle) override;
  [[nodiscard]] DriverPorts* driver_ports() override { return this; }
  [[nodiscard]] MmioPort& port(std::string_view name) override;

  /// CPU busy or asleep, booked under the current cause.
  void advance(Ticks dt) override { advance(dt, kernel_time_.of(dt)); }
  void lose_power_at(Ticks t) override {
    lost_at_ = t;
    aim();
  }

  bool watch_pages(HostPageWatcher* watcher) override {
    pages_ = watcher;
    return true;
  }
  void page_begins(std::uint16_t page, std::uint32_t request) override {
    if (pages_ != nullptr) pages_->page_begins(page, request);
  }
  void page_reported(std::uint16_t page) override {
    if (pages_ != nullptr) pages_->page_reported(page, now_);
  }

  void watch_time(TimeWatcher* watcher) override {
    watcher_ = watcher;
    look_at_ = watcher == nullptr ? kNever : Ticks::zero();
    aim();
  }
  void look_soon() override {
    look_at_ = Ticks::zero();
    aim();
  }

  Cause set_cause(Cause cause) override { return ledger_.set_cause(cause); }
  [[nodiscard]] Cause cause() const override { return ledger_.cause(); }
  void count(Work kind, std::uint32_t n) override;

 private:
  friend class BusWindow;
  /// A module, so that its socket has a place in the hierarchy whenever it is added.
  class Window;

  [[nodiscard]] ProbePort& probe() override { return *this; }
  [[nodiscard]] ClockPort& clock() override { return *this; }

  /// As advance(), for a bus access that has moved ahead_ on already.
  void end_bus_access(Ticks dt) {
    now_ += dt;
    ledger_.elapse(dt);
    ledger_.add_bus_time(dt);
    if (now_ > sync_at_) end_access(dt);
  }

  /// `time`: the same as dt.
  void advance(Ticks dt, const sc_core::sc_time& time) {
    now_ += dt;
    ahead_ += time;
    ledger_.elapse(dt);
    if (now_ > sync_at_) end_advance(dt);
  }
  void count_many(Work kind, std::uint32_t n);
  /// After so much that is no bus access: it ends with the power.
  void end_advance(Ticks dt);
  void end_access(Ticks dt);
  /// The end of all times is none to look at.
  [[nodiscard]] bool looks_by(Ticks t) const { return look_at_ <= t && look_at_ != kNever; }
  void look(Ticks t);
  /// The clock, either way.
  void move_to(Ticks t);
  void start_of_simulation() override;
  void synchronise() override;
  void sleep(Ticks dt) override {
    Processor::sleep(dt);
    ledger_.sleep(dt);
  }
  void aim() { sync_at_ = std::min({later(kernel_now_, options_.quantum), lost_at_ - Ticks{1}, look_at_ - Ticks{1}}); }
  /// Sleeps until the device's ready line rises after `sampled` (plus interrupt latency) or `deadline`.
  void sleep_for_ready(Ticks sampled, Ticks deadline);
  /// First timer expiry at least `interval` rounded to the timer grid after now.
  [[nodiscard]] Ticks timer_expiry(Ticks interval) const;

  const ProcessorProfile profile_;
  const ProcessorOptions options_;
  Ledger& ledger_;
  QuietBackward backward_;
  std::vector<std::unique_ptr<Window>> windows_;
  Ticks kernel_now_{};  ///< sc_time_stamp() at the last synchronisation
  Ticks lost_at_ = kNever;
  TimeWatcher* watcher_ = nullptr;
  HostPageWatcher* pages_ = nullptr;
  Ticks look_at_ = kNever;
  Ticks sync_at_;  ///< beyond it the kernel has to follow, power is lost or the watcher looks; see aim()
  hw::TimeMemo kernel_time_;
  std::array<sc_core::sc_time, kWorkKinds> work_times_;  ///< of one each, as the profile has them
  sc_core::sc_time ahead_;  ///< now_ - kernel_now_ once more: making an sc_time costs as much as a register access
};

}  // namespace ftlab::platform
