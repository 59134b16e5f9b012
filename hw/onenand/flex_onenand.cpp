// TLM face of the device: payload checks, time conversion, interrupt line. All behaviour is OneNandCore's.
#include "hw/onenand/flex_onenand.h"

#include <algorithm>
#include <string>

#include "hw/onenand/onenand_core.h"
#include "hw/shell/tlm_glue.h"

namespace ftlab::hw {
namespace {

constexpr const char* kReportId = "ftlab/onenand";

}  // namespace

/// The last duration converted: making an sc_time costs as much as a register access, and most of them are alike.
class TimeMemo {
 public:
  const sc_core::sc_time& of(Ticks t) {
    if (t != ticks_) {
      ticks_ = t;
      time_ = to_sc_time(t);
    }
    return time_;
  }

 private:
  Ticks ticks_{};
  sc_core::sc_time time_ = sc_core::SC_ZERO_TIME;
};

class FlexOneNand::Impl : public sc_core::sc_module, public tlm::tlm_fw_transport_if<>, public TimeHintIf {
 public:
  SC_HAS_PROCESS(Impl);
  Impl(sc_core::sc_module_name name, const OneNandSpec& spec, const FlexOneNandOptions& options,
       sc_core::sc_out<bool>& line)
      : sc_core::sc_module(name),
        core(spec, OneNandOptions{options.seed, options.store_content, options.observer, options.observe_accesses}),
        event_accurate_(options.event_accurate),
        line_(line) {
    line.initialize(false);  // pins are off until the host switches them on
    if (!event_accurate_) return;
    SC_METHOD(drive_interrupt);
    sensitive << changed_;
  }

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    const std::size_t size = payload.get_data_length();
    if (payload.get_byte_enable_ptr() != nullptr) {
      payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
      return;
    }
    const bool repeat = payload.get_streaming_width() < size;
    if ((repeat && payload.get_streaming_width() != 2) || payload.get_address() > 0xFFFFFFFFU) {
      payload.set_response_status(repeat ? tlm::TLM_BURST_ERROR_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    const auto address = static_cast<std::uint32_t>(payload.get_address());
    auto* data = reinterpret_cast<std::byte*>(payload.get_data_ptr());
    const Ticks now = to_ticks(sc_core::sc_time_stamp() + delay);
    BusResult result;
    if (payload.is_read()) {
      result = core.read(now, address, {data, size}, repeat);
    } else if (payload.is_write()) {
      result = core.write(now, address, {data, size}, repeat);
    } else {
      payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
      return;
    }
    delay += (payload.is_read() ? read_time_ : write_time_).of(result.time);
    payload.set_response_status(status_of(result.error));
    if (event_accurate_) changed_.notify(delay);
  }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    // The whole transaction in the request call: a legal, early completion of the base protocol.
    if (phase != tlm::BEGIN_REQ) {
      SC_REPORT_FATAL(kReportId, ("the device completes every transaction at BEGIN_REQ and accepts no phase " +
                                  std::to_string(static_cast<unsigned>(phase)))
                                     .c_str());
    }
    b_transport(payload, delay);
    return tlm::TLM_COMPLETED;
  }

  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi&) override {
    payload.set_dmi_allowed(false);  // every cycle is timed and may start something
    return false;
  }

  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    const std::uint64_t capacity = core.spec().capacity_bytes();
    if (payload.get_address() >= capacity) return 0;
    const auto size =
        static_cast<unsigned>(std::min<std::uint64_t>(payload.get_data_length(), capacity - payload.get_address()));
    auto* data = reinterpret_cast<std::byte*>(payload.get_data_ptr());
    if (payload.is_read()) {
      core.peek(payload.get_address(), {data, size});
    } else if (payload.is_write()) {
      core.poke(payload.get_address(), {data, size});
    }
    return size;
  }

  [[nodiscard]] Ticks next_ready_edge(Ticks now) const override { return core.next_ready_edge(now); }
  [[nodiscard]] Ticks next_status_change(Ticks now) const override { return core.next_status_change(now); }

  OneNandCore core;

 private:
  /// Runs after every access and re-arms itself to the next change of the line; notifications only, no behaviour.
  void drive_interrupt() {
    const Ticks now = to_ticks(sc_core::sc_time_stamp());
    core.settle(now);
    line_.write(core.int_pin(now));
    const Ticks next = core.next_ready_change(now);
    if (next != kNever) next_trigger(to_sc_time(next - now), changed_);
  }

  bool event_accurate_;
  TimeMemo read_time_;
  TimeMemo write_time_;
  sc_core::sc_event changed_;
  sc_core::sc_out<bool>& line_;
};

FlexOneNand::FlexOneNand(sc_core::sc_module_name name, const OneNandSpec& spec, const FlexOneNandOptions& options)
    : sc_core::sc_module(name), bus_target("bus_target"), interrupt("interrupt"), hint("hint") {
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(100, sc_core::SC_PS)) {
    SC_REPORT_FATAL(kReportId, "time resolution must be 100 ps: call sc_set_time_resolution(100, SC_PS) first");
  }
  impl_ = std::make_unique<Impl>("impl", spec, options, interrupt);
  bus_target.bind(*impl_);
  hint.bind(*impl_);
}

FlexOneNand::~FlexOneNand() = default;

void FlexOneNand::settle(Ticks now) { impl_->core.settle(now); }

OneNandCore& FlexOneNand::core() { return impl_->core; }

}  // namespace ftlab::hw
