// The simulated machine: card, firmware CPU and the wires between them. Instantiates and binds; no behaviour.
#pragma once

#include <functional>
#include <systemc>

#include "hw/card/series2plus_card.h"
#include "platform/cpu/firmware_cpu.h"
#include "platform/cpu/ledger.h"
#include "platform/host_profile.h"

namespace ftlab::platform {

struct SystemOptions {
  std::uint64_t seed = 1;
  bool store_content = true;
  bool event_accurate = false;
  bool observe_accesses = false;  ///< one record for each bus access, for logs; sums are kept either way
  Ticks quantum = std::chrono::seconds{1};
};

class System : public sc_core::sc_module {
 public:
  /// `program` runs on the CPU when the simulation starts. Sets the time resolution: one System per process, made
  /// first.
  System(const hw::CardSpec& spec, const HostProfile& host, const SystemOptions& options,
         std::function<void(System&)> program);

  /// Runs the program to its end; throws what it threw.
  void run();

  [[nodiscard]] hw::CardCore& card() { return card_.core(); }
  [[nodiscard]] FirmwareCpu& cpu() { return cpu_; }
  [[nodiscard]] Ledger& ledger() { return ledger_; }

 private:
  Ledger ledger_;
  sc_core::sc_signal<bool> ready_{"ready"};
  hw::Series2PlusCard card_;
  FirmwareCpu cpu_;
};

}  // namespace ftlab::platform
