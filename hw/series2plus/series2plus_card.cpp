// TLM face of the card: payload checks, time conversion, ready line. All behaviour is CardCore's.
#include "hw/series2plus/series2plus_card.h"

#include <string>

#include "hw/series2plus/card_core.h"
#include "hw/shell/bus_pace.h"
#include "hw/shell/tlm_glue.h"

namespace ftlab::hw {
/// One window of the card on its socket.
class CardTarget : public tlm::tlm_fw_transport_if<> {
 public:
  CardTarget(CardCore& core, Window window, sc_core::sc_event* changed)
      : core_(core),
        window_(window),
        cycle_(window == Window::common ? core.spec().timing.common_cycle : core.spec().timing.attribute_cycle),
        cycle_time_(to_sc_time(cycle_)),
        changed_(changed) {}

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
    // Asked for bursts alone: looking an extension up costs a good part of a single cycle.
    const BusPace* pace = size > 2 ? payload.get_extension<BusPace>() : nullptr;
    BusResult result;
    if (payload.is_read()) {
      result = core_.read(window_, now, address, {data, size}, repeat, pace != nullptr ? pace->read_cycle : Ticks{});
    } else if (payload.is_write()) {
      result = core_.write(window_, now, address, {data, size}, repeat, pace != nullptr ? pace->write_cycle : Ticks{});
    } else {
      payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
      return;
    }
    delay += result.time == cycle_ ? cycle_time_ : to_sc_time(result.time);
    payload.set_response_status(status_of(result.error));
    if (changed_ != nullptr) changed_->notify(delay);
  }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    // The whole transaction in the request call: a legal, early completion of the base protocol.
    if (phase != tlm::BEGIN_REQ) {
      SC_REPORT_FATAL("ftlab/card", ("the card completes every transaction at BEGIN_REQ and accepts no phase " +
                                     std::to_string(static_cast<unsigned>(phase)))
                                        .c_str());
    }
    b_transport(payload, delay);
    return tlm::TLM_COMPLETED;
  }

  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi&) override {
    payload.set_dmi_allowed(false);  // every cycle goes through the command interface
    return false;
  }

  /// Inspection: array content in common memory. No time, no state; attribute memory has nothing to inspect this way.
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    const std::uint64_t capacity = core_.spec().capacity_bytes();
    if (window_ != Window::common || payload.get_address() >= capacity) return 0;
    const std::uint64_t rest = capacity - payload.get_address();
    const auto size = static_cast<unsigned>(std::min<std::uint64_t>(payload.get_data_length(), rest));
    const auto address = static_cast<std::uint32_t>(payload.get_address());
    auto* data = reinterpret_cast<std::byte*>(payload.get_data_ptr());
    if (payload.is_read()) {
      core_.peek(address, {data, size});
    } else if (payload.is_write()) {
      core_.poke(address, {data, size});
    }
    return size;
  }

 private:
  CardCore& core_;
  Window window_;
  Ticks cycle_;                  ///< of one bus cycle
  sc_core::sc_time cycle_time_;  ///< the same, ready-made: making an sc_time costs as much as an access
  sc_core::sc_event* changed_;
};

class Series2PlusCard::Impl : public sc_core::sc_module, public TimeHintIf {
 public:
  SC_HAS_PROCESS(Impl);
  Impl(sc_core::sc_module_name name, const CardSpec& spec, const CardOptions& options, sc_core::sc_out<bool>& line)
      : sc_core::sc_module(name),
        core(spec, CardCoreOptions{options.seed, options.store_content, options.observer, options.observe_accesses}),
        common(core, Window::common, options.event_accurate ? &changed_ : nullptr),
        attribute(core, Window::attribute, options.event_accurate ? &changed_ : nullptr),
        line_(line) {
    line.initialize(true);
    if (!options.event_accurate) return;
    SC_METHOD(drive_ready);
    sensitive << changed_;
  }

  [[nodiscard]] Ticks next_ready_edge(Ticks now) const override { return core.next_ready_edge(now); }
  [[nodiscard]] Ticks next_status_change(Ticks now) const override { return core.next_status_change(now); }

  CardCore core;

 private:
  /// Runs after every access and re-arms itself to the next change of the line; notifications only, no behaviour.
  void drive_ready() {
    const Ticks now = to_ticks(sc_core::sc_time_stamp());
    core.settle(now);
    line_.write(core.ready(now));
    const Ticks next = core.next_ready_change(now);
    if (next != kNever) next_trigger(to_sc_time(next - now), changed_);
  }

  sc_core::sc_event changed_;

 public:
  CardTarget common;
  CardTarget attribute;

 private:
  sc_core::sc_out<bool>& line_;
};

Series2PlusCard::Series2PlusCard(sc_core::sc_module_name name, const CardSpec& spec, const CardOptions& options)
    : sc_core::sc_module(name),
      common_target("common_target"),
      attribute_target("attribute_target"),
      ready("ready"),
      hint("hint") {
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(100, sc_core::SC_PS)) {
    SC_REPORT_FATAL("ftlab/card", "time resolution must be 100 ps: call sc_set_time_resolution(100, SC_PS) first");
  }
  impl_ = std::make_unique<Impl>("impl", spec, options, ready);
  common_target.bind(impl_->common);
  attribute_target.bind(impl_->attribute);
  hint.bind(*impl_);
}

Series2PlusCard::~Series2PlusCard() = default;

void Series2PlusCard::settle(Ticks now) { impl_->core.settle(now); }

CardCore& Series2PlusCard::core() { return impl_->core; }

}  // namespace ftlab::hw
