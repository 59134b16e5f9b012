// What firmware on a simulated core has told the trace unit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hw/regs/trace_regs.h"

namespace ftlab::platform {

struct TraceTotals {
  std::array<std::uint64_t, hw::trace::kCounters> counters{};
  std::array<std::uint64_t, hw::trace::kMarks> marks{};        ///< how often each came
  std::array<std::uint64_t, hw::trace::kMarks> mark_cycles{};  ///< since the mark before it, whichever, summed

  [[nodiscard]] TraceTotals since(const TraceTotals& before) const {
    TraceTotals totals = *this;
    for (std::size_t i = 0; i < counters.size(); ++i) totals.counters[i] -= before.counters[i];
    for (std::size_t i = 0; i < marks.size(); ++i) {
      totals.marks[i] -= before.marks[i];
      totals.mark_cycles[i] -= before.mark_cycles[i];
    }
    return totals;
  }
};

}  // namespace ftlab::platform
