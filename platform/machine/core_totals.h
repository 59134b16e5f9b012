// What a simulated core has done, in cycles, and the energy of it. Knows no core.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "firmware/port/probe_port.h"
#include "platform/machine/trace_totals.h"

namespace ftlab::platform {

struct CoreTotals {
  std::uint64_t instructions = 0;
  std::uint64_t interrupts = 0;
  std::uint64_t cycles = 0;         ///< all
  std::uint64_t bus_cycles = 0;     ///< of these, in which it waited for part, bridge or registers
  std::uint64_t asleep_cycles = 0;  ///< of these, asleep
  std::uint64_t flash_misses = 0;
  std::array<std::uint64_t, kCauses> awake_by_cause{};
  TraceTotals trace;
  std::uint64_t active_cycle_pj = 0;
  std::uint64_t idle_cycle_pj = 0;

  [[nodiscard]] std::uint64_t awake_cycles() const { return cycles - asleep_cycles; }
  [[nodiscard]] CoreTotals since(const CoreTotals& before) const {
    CoreTotals totals = *this;
    totals.instructions -= before.instructions;
    totals.interrupts -= before.interrupts;
    totals.cycles -= before.cycles;
    totals.bus_cycles -= before.bus_cycles;
    totals.asleep_cycles -= before.asleep_cycles;
    totals.flash_misses -= before.flash_misses;
    totals.trace = trace.since(before.trace);
    for (std::size_t cause = 0; cause < kCauses; ++cause) totals.awake_by_cause[cause] -= before.awake_by_cause[cause];
    return totals;
  }
};

}  // namespace ftlab::platform
