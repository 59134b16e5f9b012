// A processor around a core, with a part that is busy for a while after each write.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "common/input_error.h"
#include "platform/machine/core/core_processor.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::platform {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr Ticks kBusy = microseconds{70};
constexpr Ticks kPartCycle = nanoseconds{200};
/// 10 MHz: a cycle is 100 ns.
constexpr std::uint64_t kHz = 10'000'000;

class FakePart : public sc_core::sc_module, public tlm::tlm_fw_transport_if<>, public hw::TimeHintIf {
 public:
  tlm::tlm_target_socket<16> target{"target"};
  Ticks ready_at{};
  Ticks written_at{};
  bool drives_line = true;
  unsigned reads = 0;
  hw::DeviceOpKind read_kind = hw::DeviceOpKind::register_access;
  hw::AccessTotals accesses{};

  explicit FakePart(sc_core::sc_module_name name) : sc_module(name) { target.bind(*this); }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    const Ticks now{static_cast<std::int64_t>((sc_core::sc_time_stamp() + delay).value())};
    if (payload.is_write()) {
      written_at = now;
      ready_at = now + kBusy;
    } else {
      ++reads;
      hw::AccessTotal& total = accesses[static_cast<std::size_t>(read_kind)];
      ++total.accesses;
      total.bytes += payload.get_data_length();
      total.busy += kPartCycle;
      total.energy += Picojoules{7};
    }
    std::fill_n(payload.get_data_ptr(), payload.get_data_length(), now >= ready_at ? 0x80 : 0);
    delay += sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(kPartCycle.count()));
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  Ticks next_ready_edge(Ticks now) const override { return drives_line ? next_status_change(now) : kNever; }
  Ticks next_status_change(Ticks now) const override { return ready_at > now ? ready_at : kNever; }
};

struct Fixture {
  Fixture(std::unique_ptr<ProgramMemory> memory, const std::function<void(Fixture&)>& program,
          Ticks quantum = std::chrono::seconds{1}, const std::function<void(CoreProcessor&)>& before = {})
      : Fixture(std::move(memory), program, CoreOptions{core(), quantum, false, 2}, before) {}
  Fixture(std::unique_ptr<ProgramMemory> memory, const std::function<void(Fixture&)>& program,
          const CoreOptions& options, const std::function<void(CoreProcessor&)>& before = {})
      : cpu("cpu", profile(), options, ledger, std::move(memory), [this, program] { program(*this); }) {
    if (before) before(cpu);
    ledger.watch_accesses(&part.accesses);
    cpu.add_window("common", BusCycle::memory).bind(part.target);
    cpu.ready.bind(ready);
    cpu.hint.bind(part);
    sc_core::sc_start();
  }
  static CoreSpec core() {
    CoreSpec spec;
    spec.hz = kHz;
    return spec;
  }
  static ProcessorProfile profile() {
    sc_core::sc_set_time_resolution(100, sc_core::SC_PS);
    ProcessorProfile p;
    p.bus_read_cycle = nanoseconds{500};
    p.bus_write_cycle = nanoseconds{100};
    return p;
  }
  void start() { cpu.start(std::as_bytes(std::span(handover))); }

  const std::array<std::uint32_t, 2> handover{1, 2};
  Ledger ledger;
  sc_core::sc_signal<bool> ready{"ready"};
  FakePart part{"part"};
  CoreProcessor cpu;
};

/// What the run of such a program ends with.
inline std::string failure(std::unique_ptr<ProgramMemory> program) {
  Fixture fixture(std::move(program), [](Fixture& f) { f.start(); });
  return test::error_text([&] { fixture.cpu.rethrow_error(); });
}

}  // namespace ftlab::platform
