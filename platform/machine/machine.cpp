#include "platform/machine/machine.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/input_error.h"
#include "hw/regs/study_values_regs.h"
#include "platform/files/program_file.h"
#include "platform/machine/core/core_processor.h"
#include "platform/machine/core/core_watchers.h"
#include "platform/machine/debug/core_debugger.h"
#include "platform/machine/native_processor.h"
#include "platform/machine/profile/core_coverage.h"
#include "platform/machine/profile/core_profile.h"
#include "platform/machine/profile/instruction_trace.h"
#include "platform/machine/sanitizer_stack.h"
#include "platform/study/firmware_row.h"
#include "platform/study/study_files.h"

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

Machine::Machine(const DeviceFactory& make_device, const ProcessorFactory& make_processor,
                 std::function<void(Machine&)> program)
    : sc_module(prepared_name()),
      device_(make_device(ledger_)),
      processor_(make_processor(ledger_, [this, run = std::move(program)] { run(*this); })) {
  device_->bind(*processor_);
  ledger_.watch_accesses(&device_->accesses());
  ledger_.watch_operations(device_->operations(), device_->undone());
}

void Machine::run() {
  sc_core::sc_start();
  name_main_stack();
  processor_->rethrow_error();
}

void Machine::attach() {
  DriverPorts* const ports = processor_->driver_ports();
  if (ports == nullptr) throw std::logic_error("this processor has no place for a driver");
  device_->attach(*ports);
}

namespace {

/// Time that the core runs ahead of the kernel, and so between two looks for the user's Ctrl-C.
constexpr Ticks kDebuggedQuantum = std::chrono::milliseconds{10};

/// The option by which somebody wants to look at a core; null: nobody does.
const char* asked_by(const CoreWatch& watch) {
  if (watch.gdb_port) return "--gdb";
  if (watch.profile) return "--profile";
  if (watch.coverage) return "--coverage";
  return watch.instructions.sink ? "--log-instructions" : nullptr;
}

void let_watch(CoreProcessor& processor, const CoreWatch& watch) {
  std::vector<std::unique_ptr<CoreWatcher>> watchers;
  if (watch.profile) watchers.push_back(std::make_unique<CoreProfile>(processor, watch.profile));
  if (watch.coverage) watchers.push_back(std::make_unique<CoreCoverage>(processor, watch.coverage));
  if (const auto& [from, to, sink] = watch.instructions; sink)
    watchers.push_back(std::make_unique<InstructionTrace>(processor, InstructionTrace::Span{from, to}, sink));
  if (watch.gdb_port) {
    if (!watchers.empty())
      throw InputError(
          "--gdb: a debugger looks alone; leave --profile, --coverage and --log-instructions out, or run once more for "
          "them");
    processor.let_watch(std::make_unique<CoreDebugger>(processor, std::make_unique<gdb::Link>(*watch.gdb_port)));
  } else if (watchers.size() == 1) {
    processor.let_watch(std::move(watchers.front()));
  } else if (!watchers.empty()) {
    processor.let_watch(std::make_unique<CoreWatchers>(std::move(watchers)));
  }
}

static_assert(kLongestValueName == hw::study_values::kLongestName);

ProcessorFactory core_factory(const Study& study, const ProcessorProfile& host, const CoreWatch& watch) {
  CoreOptions options;
  options.core = load_core(study);
  options.quantum = ticks_from_ns(study.platform.quantum_us * 1000);
  options.event_accurate = study.platform.timing == TimingStyle::event;
  options.skips_waits = std::getenv("FTLAB_EXECUTE_WAITS") == nullptr;
  if (watch.gdb_port) options.quantum = std::min(options.quantum, kDebuggedQuantum);
  double requests = 0;
  for (const double depth : study.workload.client_depths) requests += depth;
  if (study.workload.client_depths.empty()) requests = static_cast<double>(study.workload.queue_depth);
  options.requests = static_cast<std::uint32_t>(requests);
  const bool arm = study.platform.processor == ProcessorKind::arm;
  const iss::ElfMachine machine = arm ? iss::ElfMachine::arm : iss::ElfMachine::riscv;
  const auto own = firmware_of(study).program;
  std::vector<StudyValues::Value> values;
  if (own != nullptr)
    for (const FirmwareValue& value : own(study)->values) values.push_back({value.name, value.number});
  const std::filesystem::path file = own != nullptr
                                         ? std::filesystem::path(own(study)->elf)
                                         : program_file(arm ? "arm" : "riscv", study.where_of("platform.processor"));
  return [host, options, file, machine, watch, values](Ledger& ledger, std::function<void()> program) {
    auto memory = std::make_unique<ProgramMemory>(iss::ElfImage::read(file, machine), file.string());
    auto processor =
        std::make_unique<CoreProcessor>("cpu", host, options, ledger, std::move(memory), std::move(program));
    processor->set_console(watch.console);
    processor->study_values().give(values);
    let_watch(*processor, watch);
    return processor;
  };
}

}  // namespace

ProcessorFactory processor_factory(const Study& study, const ProcessorProfile& host, const CoreWatch& watch) {
  if (study.platform.processor != ProcessorKind::native) return core_factory(study, host, watch);
  if (const char* option = asked_by(watch))
    throw InputError(std::string(option) +
                     ": firmware of this study is compiled for the simulating machine; give --on arm or --on riscv");
  ProcessorOptions options;
  options.event_accurate = study.platform.timing == TimingStyle::event;
  options.quantum = ticks_from_ns(study.platform.quantum_us * 1000);
  return [host, options](Ledger& ledger, std::function<void()> program) {
    return std::make_unique<NativeProcessor>("cpu", host, options, ledger, std::move(program));
  };
}

}  // namespace ftlab::platform
