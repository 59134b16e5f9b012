// The simulated machine: a device, the firmware CPU and the wires between them. Instantiates and binds; no behaviour.
#pragma once

#include <functional>
#include <memory>
#include <systemc>

#include "platform/machine/device.h"
#include "platform/machine/firmware_cpu.h"
#include "platform/machine/host_profile.h"
#include "platform/measure/ledger.h"

namespace ftlab::platform {

class System : public sc_core::sc_module {
 public:
  /// `program` runs on the CPU when the simulation starts. Sets the time resolution: one System per process, made
  /// first.
  System(const DeviceFactory& make_device, const HostProfile& host, const CpuOptions& options,
         std::function<void(System&)> program);

  /// Runs the program to its end; throws what it threw.
  void run();

  [[nodiscard]] Device& device() { return *device_; }
  [[nodiscard]] FirmwareCpu& cpu() { return cpu_; }
  [[nodiscard]] Ledger& ledger() { return ledger_; }

 private:
  Ledger ledger_;
  std::unique_ptr<Device> device_;
  FirmwareCpu cpu_;
};

}  // namespace ftlab::platform
