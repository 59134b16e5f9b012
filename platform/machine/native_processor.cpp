#include "platform/machine/native_processor.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ftlab::platform {

class NativeProcessor::Window final : public sc_core::sc_module {
 public:
  Window(sc_core::sc_module_name label, NativeProcessor& cpu, Ticks read_cycle, Ticks write_cycle)
      : sc_module(label), of_device(label), port(cpu, read_cycle, write_cycle) {
    socket.bind(cpu.backward_);
  }

  const std::string of_device;  ///< its name
  WindowSocket socket{"socket"};
  BusWindow port;
};

NativeProcessor::NativeProcessor(sc_core::sc_module_name name, const ProcessorProfile& profile,
                                 const ProcessorOptions& options, Ledger& ledger, std::function<void()> program)
    : Processor(name, std::move(program)), profile_(profile), options_(options), ledger_(ledger) {
  for (std::size_t kind = 0; kind < kWorkKinds; ++kind) work_times_[kind] = hw::to_sc_time(profile_.work[kind]);
  aim();
}

NativeProcessor::~NativeProcessor() = default;

WindowSocket& NativeProcessor::add_window(std::string_view name, BusCycle cycle) {
  const bool attribute = cycle == BusCycle::attribute;
  windows_.push_back(std::make_unique<Window>(std::string(name).c_str(), *this,
                                              attribute ? profile_.attribute_cycle : profile_.bus_read_cycle,
                                              attribute ? profile_.attribute_cycle : profile_.bus_write_cycle));
  return windows_.back()->socket;
}

MmioPort& NativeProcessor::port(std::string_view name) {
  const auto found = std::ranges::find_if(windows_, [&](const auto& window) { return window->of_device == name; });
  if (found == windows_.end()) throw std::logic_error("the device has no bus window named " + std::string(name));
  return (*found)->port;
}

void NativeProcessor::start_of_simulation() {
  for (const auto& window : windows_) window->port.bind(*window->socket.operator->());
}

void NativeProcessor::synchronise() {
  if (now_ > kClockEnd) throw ClockEnded();
  if (now_ > kernel_now_) wait(ahead_);
  kernel_now_ = Ticks{static_cast<std::int64_t>(sc_core::sc_time_stamp().value())};
  ahead_ = sc_core::SC_ZERO_TIME;
  const bool lost = now_ >= lost_at_;
  if (lost) lost_at_ = kNever;
  aim();
  if (lost) lose();
}

void NativeProcessor::end_advance(Ticks dt) {
  const Ticks end = now_;
  Ticks from = end - dt;
  if (looks_by(end)) {
    move_to(from);
    while (looks_by(end) && now_ < lost_at_) {
      move_to(std::min(std::max(look_at_, now_), lost_at_));
      if (looks_by(now_)) look(now_);
    }
    from = now_;
  }
  move_to(std::max(std::min(end, lost_at_), from));
  if (now_ > sync_at_) synchronise();
  // Power was lost on the way, and is held.
  if (now_ < end) advance(end - now_);
}

void NativeProcessor::end_access(Ticks dt) {
  // Up to when the device has been told of the access: whoever waits now has yet to hear of what came behind that.
  if (looks_by(now_ - dt)) look(now_ - dt);
  if (now_ > sync_at_) synchronise();
}

void NativeProcessor::look(Ticks t) {
  look_at_ = watcher_->look(t);
  aim();
}

void NativeProcessor::move_to(Ticks t) {
  const Ticks by = t - now_;
  if (by == Ticks::zero()) return;
  now_ = t;
  if (by > Ticks::zero()) {
    ahead_ += hw::to_sc_time(by);
  } else {
    ahead_ -= hw::to_sc_time(-by);
  }
  ledger_.elapse(by);
}

Ticks NativeProcessor::timer_expiry(Ticks interval) const {
  const Ticks tick = std::max(profile_.timer_tick, Ticks{1});
  const std::int64_t elapsed_ticks = now_ / tick;
  const std::int64_t wanted = std::max<std::int64_t>(1, (interval + tick - Ticks{1}) / tick);
  return tick * (elapsed_ticks + wanted);
}

void NativeProcessor::sleep_for_ready(Ticks sampled, Ticks deadline) {
  Ticks edge{};
  if (options_.event_accurate) {
    bool looked = false;
    do {
      synchronise();
      const Ticks until = std::min({deadline, lost_at_, look_at_});
      if (!ready.read() && until > now_) wait(hw::to_sc_time(until - now_), ready.posedge_event());
      kernel_now_ = Ticks{static_cast<std::int64_t>(sc_core::sc_time_stamp().value())};
      edge = kernel_now_;
      // The kernel moved on while the thread waited: the clock follows, and is ahead by nothing.
      ledger_.elapse(edge - now_);
      sleep(edge - now_);
      now_ = edge;
      aim();
      if (now_ > kClockEnd) throw ClockEnded();
      looked = looks_by(now_);
      if (looked) look(now_);
      // A loss ends the wait, unless capacitors go on.
    } while (!ready.read() && now_ < deadline && (now_ < lost_at_ ? looked : held()));
  } else {
    edge = std::min(hint->next_ready_edge(sampled), deadline);
  }
  sleep_until(edge);
  advance(profile_.interrupt_latency);
}

void NativeProcessor::count(Work kind, std::uint32_t n) {
  const Ticks one = profile_.work[static_cast<std::size_t>(kind)];
  if (n != 1 || one > kNever - now_) return count_many(kind, n);
  advance(one, work_times_[static_cast<std::size_t>(kind)]);
  ledger_.add_work(kind, 1, one);
}

void NativeProcessor::count_many(Work kind, std::uint32_t n) {
  const Ticks one = profile_.work[static_cast<std::size_t>(kind)];
  std::int64_t ticks = 0;
  if (__builtin_mul_overflow(one.count(), std::int64_t{n}, &ticks)) ticks = kNever.count();
  const Ticks cost = std::min(Ticks{ticks}, kNever - now_);
  advance(cost);
  ledger_.add_work(kind, n, cost);
}

}  // namespace ftlab::platform
