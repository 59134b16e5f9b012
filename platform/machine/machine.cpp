#include "platform/machine/machine.h"

#include "platform/machine/sanitizer_stack.h"

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

Machine::Machine(const DeviceFactory& make_device, const ProcessorProfile& host, const ProcessorOptions& options,
                 std::function<void(Machine&)> program)
    : sc_module(prepared_name()),
      device_(make_device(ledger_)),
      processor_("cpu", host, options, ledger_, [this, run = std::move(program)] { run(*this); }) {
  device_->bind(processor_);
  ledger_.watch_accesses(&device_->accesses());
  ledger_.watch_operations(device_->operations(), device_->undone());
}

void Machine::run() {
  sc_core::sc_start();
  name_main_stack();
  processor_.rethrow_error();
}

ProcessorOptions processor_options_for(const Study& study) {
  ProcessorOptions options;
  options.event_accurate = study.platform.timing == TimingStyle::event;
  options.quantum = ticks_from_ns(study.platform.quantum_us * 1000);
  return options;
}

}  // namespace ftlab::platform
