// The simulated machine: a device, the processor and the wires between them. Instantiates and binds; no behaviour.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <systemc>

#include "platform/files/processor_profile.h"
#include "platform/machine/device.h"
#include "platform/machine/ledger.h"
#include "platform/machine/processor.h"

namespace ftlab::platform {

/// Who looks at a simulated core.
struct CoreWatch {
  std::optional<std::uint16_t> gdb_port;  ///< a debugger holds it from its first instruction on; 0: any port
  /// Both take a text at the end; empty: nobody asks.
  std::function<void(std::string_view)> profile;        ///< folded stacks
  std::function<void(std::string_view)> coverage = {};  ///< an lcov tracefile
  /// Instructions row by row, in a span from the begin of the measured phase; empty sink: nobody asks.
  struct Instructions {
    Ticks from{};
    Ticks to{};
    std::function<void(std::string_view)> sink;
  };
  Instructions instructions = {};
  /// Takes lines of the firmware's UART; empty: nobody asks.
  std::function<void(Ticks at, std::string_view line)> console = {};
};

/// The one that the study names. Throws InputError where somebody wants to look and there is no core, and where no
/// debugger can come by its port.
ProcessorFactory processor_factory(const Study& study, const ProcessorProfile& host, const CoreWatch& watch = {});

class Machine : public sc_core::sc_module {
 public:
  /// `program` runs on the processor when the simulation starts. Sets the time resolution: one Machine per process,
  /// made first.
  Machine(const DeviceFactory& make_device, const ProcessorFactory& make_processor,
          std::function<void(Machine&)> program);

  /// Runs the program to its end; throws what it threw.
  void run();
  /// To be called by the program, on a processor that executes natively: makes the driver of the device.
  void attach();

  [[nodiscard]] Device& device() { return *device_; }
  [[nodiscard]] const Device& device() const { return *device_; }
  [[nodiscard]] Processor& processor() { return *processor_; }
  [[nodiscard]] Ledger& ledger() { return ledger_; }

 private:
  Ledger ledger_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Processor> processor_;
};

}  // namespace ftlab::platform
