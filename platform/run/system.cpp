#include "platform/run/system.h"

#include "hw/card/card_core.h"

namespace ftlab::platform {
namespace {

sc_core::sc_module_name prepared_name() {
  // 100 ps: see common/units.h. Must precede every module.
  sc_core::sc_set_time_resolution(100, sc_core::SC_PS);
  // sc_stop() is how a run ends; no news.
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  return "system";
}

}  // namespace

System::System(const hw::CardSpec& spec, const HostProfile& host, const SystemOptions& options,
               std::function<void(System&)> program)
    : sc_module(prepared_name()),
      card_("card", spec,
            {.seed = options.seed,
             .store_content = options.store_content,
             .event_accurate = options.event_accurate,
             .observer = &ledger_,
             .observe_accesses = options.observe_accesses}),
      cpu_("cpu", host, {options.event_accurate, options.quantum}, ledger_,
           [this, run = std::move(program)] { run(*this); }) {
  cpu_.common_initiator.bind(card_.common_target);
  cpu_.attribute_initiator.bind(card_.attribute_target);
  card_.ready.bind(ready_);
  cpu_.ready.bind(ready_);
  cpu_.hint.bind(card_.hint);
  card_.core().set_vpp_pin(Ticks::zero(), true);
  ledger_.watch_accesses(&card_.core().access_totals());
}

void System::run() {
  sc_core::sc_start();
  cpu_.rethrow_error();
}

}  // namespace ftlab::platform
