#include "platform/machine/core/trace_unit.h"

#include "hw/regs/trace_regs.h"

namespace ftlab::platform {

namespace trace_reg = hw::trace::reg;

namespace {

constexpr std::uint32_t kCounterBytes = sizeof(std::uint32_t);

constexpr bool is_counter(std::uint32_t offset) {
  return offset < trace_reg::kCounter + hw::trace::kCounters * kCounterBytes;
}

}  // namespace

TraceUnit::TraceUnit(sc_core::sc_module_name name, const CoreClock& clock)
    : RegisterTarget(name, hw::trace::kWindowBytes), clock_(clock) {}

bool TraceUnit::read_register(std::uint32_t offset, Ticks, std::uint32_t& value) const {
  if (!is_counter(offset)) return false;
  value = static_cast<std::uint32_t>(totals_.counters.at(offset / kCounterBytes));
  return true;
}

bool TraceUnit::write_register(std::uint32_t offset, Ticks now, std::uint32_t value) {
  if (is_counter(offset)) {
    totals_.counters.at(offset / kCounterBytes) += value;
    return true;
  }
  if (offset != trace_reg::kMark || value >= hw::trace::kMarks) return false;
  const std::uint64_t cycle = clock_.first_from(now);
  totals_.marks.at(value) += 1;
  if (last_mark_) totals_.mark_cycles.at(value) += cycle - *last_mark_;
  last_mark_ = cycle;
  return true;
}

}  // namespace ftlab::platform
