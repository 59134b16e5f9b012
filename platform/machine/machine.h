// The simulated machine: a device, the processor and the wires between them. Instantiates and binds; no behaviour.
#pragma once

#include <functional>
#include <memory>
#include <systemc>

#include "platform/files/processor_profile.h"
#include "platform/machine/device.h"
#include "platform/machine/ledger.h"
#include "platform/machine/native_processor.h"

namespace ftlab::platform {

ProcessorOptions processor_options_for(const Study& study);

class Machine : public sc_core::sc_module {
 public:
  /// `program` runs on the processor when the simulation starts. Sets the time resolution: one Machine per process,
  /// made first.
  Machine(const DeviceFactory& make_device, const ProcessorProfile& host, const ProcessorOptions& options,
          std::function<void(Machine&)> program);

  /// Runs the program to its end; throws what it threw.
  void run();

  [[nodiscard]] Device& device() { return *device_; }
  [[nodiscard]] NativeProcessor& processor() { return processor_; }
  [[nodiscard]] Ledger& ledger() { return ledger_; }

 private:
  Ledger ledger_;
  std::unique_ptr<Device> device_;
  NativeProcessor processor_;
};

}  // namespace ftlab::platform
