#include "platform/machine/native_processor.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ftlab::platform {

/// Targets of this platform never call back: no DMI is asked for and transport is blocking.
class NativeProcessor::QuietBackward : public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    SC_REPORT_FATAL("ftlab/bus", "non-blocking response to a blocking access");
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

NativeProcessor::NativeProcessor(sc_core::sc_module_name name, const ProcessorProfile& profile,
                                 const ProcessorOptions& options, Ledger& ledger, std::function<void()> program)
    : Processor(name),
      profile_(profile),
      options_(options),
      ledger_(ledger),
      program_(std::move(program)),
      backward_(std::make_unique<QuietBackward>()),
      common_window_(*this, profile.bus_read_cycle, profile.bus_write_cycle),
      attribute_window_(*this, profile.attribute_cycle, profile.attribute_cycle),
      data_window_(*this, profile.bus_read_cycle, profile.bus_write_cycle) {
  aim();
  common_socket_.bind(*backward_);
  attribute_socket_.bind(*backward_);
  data_socket_.bind(*backward_);
  SC_HAS_PROCESS(NativeProcessor);
  SC_THREAD(thread);
}

NativeProcessor::~NativeProcessor() = default;

WindowSocket& NativeProcessor::window(std::string_view name) {
  if (name == "common") return common_socket_;
  if (name == "attribute") return attribute_socket_;
  if (name == "data") return data_socket_;
  throw std::logic_error("the processor has no bus window named " + std::string(name));
}

MmioPort& NativeProcessor::port(std::string_view name) {
  if (name == "data") return data_window_;
  return &window(name) == &common_socket_ ? common_window_ : attribute_window_;
}

void NativeProcessor::start_of_simulation() {
  if (common_socket_.size() > 0) common_window_.bind(*common_socket_.operator->());
  if (attribute_socket_.size() > 0) attribute_window_.bind(*attribute_socket_.operator->());
  if (data_socket_.size() > 0) data_window_.bind(*data_socket_.operator->());
}

void NativeProcessor::thread() {
  try {
    program_();
    synchronise();
  } catch (const sc_core::sc_unwind_exception&) {
    throw;  // the kernel ends the thread this way
  } catch (const std::exception&) {
    error_ = std::current_exception();
  }
  sc_core::sc_stop();
}

void NativeProcessor::rethrow_error() const {
  if (error_) std::rethrow_exception(error_);
}

void NativeProcessor::synchronise() {
  if (now_ > kClockEnd) throw ClockEnded();
  if (now_ > kernel_now_) wait(ahead_);
  kernel_now_ = Ticks{static_cast<std::int64_t>(sc_core::sc_time_stamp().value())};
  ahead_ = sc_core::SC_ZERO_TIME;
  const bool lost = now_ >= lost_at_;
  if (lost) lost_at_ = kNever;
  aim();
  if (lost) throw PowerLost();
}

void NativeProcessor::end_advance(Ticks dt) {
  if (now_ >= lost_at_) {
    const Ticks beyond = std::min(now_ - lost_at_, dt);
    now_ -= beyond;
    ahead_ -= hw::to_sc_time(beyond);
    ledger_.elapse(-beyond);
  }
  synchronise();
}

void NativeProcessor::advance(Ticks dt) { advance(dt, kernel_time_.of(dt)); }

void NativeProcessor::sleep_until(Ticks t) {
  if (t > now_) advance(t - now_);
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
    synchronise();
    const Ticks until = std::min(deadline, lost_at_);
    if (!ready.read() && until > now_) wait(hw::to_sc_time(until - now_), ready.posedge_event());
    kernel_now_ = Ticks{static_cast<std::int64_t>(sc_core::sc_time_stamp().value())};
    edge = kernel_now_;
    // The kernel moved on while the thread waited: the clock follows, and is ahead by nothing.
    ledger_.elapse(edge - now_);
    now_ = edge;
    aim();
    if (now_ > kClockEnd) throw ClockEnded();
  } else {
    edge = std::min(hint->next_ready_edge(sampled), deadline);
  }
  sleep_until(edge);
  advance(profile_.interrupt_latency);
}

void NativeProcessor::count(Work kind, std::uint32_t n) {
  const Ticks one = profile_.work[static_cast<std::size_t>(kind)];
  std::int64_t ticks = 0;
  if (__builtin_mul_overflow(one.count(), std::int64_t{n}, &ticks)) ticks = kNever.count();
  const Ticks cost = std::min(Ticks{ticks}, kNever - now_);
  advance(cost);
  ledger_.add_work(kind, n, cost);
}

}  // namespace ftlab::platform
