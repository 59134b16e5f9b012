// The trace unit of the board (hw/regs/trace_regs.h): what firmware counts, and the cycles between its marks. Knows
// cycles of the core; not what is counted.
#pragma once

#include <cstdint>
#include <optional>

#include "platform/machine/core/core_clock.h"
#include "platform/machine/core/register_target.h"
#include "platform/machine/trace_totals.h"

namespace ftlab::platform {

class TraceUnit final : public RegisterTarget {
 public:
  TraceUnit(sc_core::sc_module_name name, const CoreClock& clock);

  /// No mark has come so far; counts stay.
  void forget_mark() { last_mark_.reset(); }
  [[nodiscard]] const TraceTotals& totals() const { return totals_; }

 private:
  bool read_register(std::uint32_t offset, Ticks now, std::uint32_t& value) const override;
  bool write_register(std::uint32_t offset, Ticks now, std::uint32_t value) override;

  const CoreClock& clock_;
  TraceTotals totals_;
  std::optional<std::uint64_t> last_mark_;  ///< cycle
};

}  // namespace ftlab::platform
