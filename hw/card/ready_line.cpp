// The line is the union of the low times of all components.
#include "hw/card/ready_line.h"

#include <algorithm>

namespace ftlab::hw {

namespace ready_mode = series2plus::ready_mode;

void ReadyLine::collect(const Component& component) const {
  const std::uint8_t mode = component.ready_mode();
  const OperationQueue& queue = component.queue();
  if (mode == ready_mode::kDisable) return;
  if (mode == ready_mode::kLevel) {
    if (component.last_rise() > Ticks::zero()) low_.push_back({Ticks::min(), component.last_rise()});
    if (queue.running()) low_.push_back({Ticks::min(), queue.idle_at()});
    return;
  }
  const Ticks pulse = component.pulse_width();
  if (component.pulse_end() > Ticks::zero()) low_.push_back({component.pulse_end() - pulse, component.pulse_end()});
  OperationQueue trial = queue;
  while (trial.running()) {
    const Ticks t = trial.next_event();
    if (!trial.next_event_finishes()) {
      trial.give_way(t);
      continue;
    }
    const OperationKind kind = trial.running_operation().kind;
    const bool pulses = mode == ready_mode::kPulseOnWrite ? is_program(kind) : is_erase(kind);
    if (pulses) low_.push_back({t, t + pulse});
    trial.pop(t);
  }
}

void ReadyLine::collect_all() const {
  low_.clear();
  for (const auto& pair : pairs_) {
    for (const Component& component : pair->components()) collect(component);
  }
}

bool ReadyLine::low_at(Ticks t) const {
  return std::ranges::any_of(low_, [t](const LowTime& low) { return low.from <= t && t < low.to; });
}

bool ReadyLine::all_ready(Ticks now) const {
  collect_all();
  return !low_at(now);
}

bool ReadyLine::latched(Ticks now) const {
  collect_all();
  return std::ranges::any_of(low_, [&](const LowTime& low) { return low.to > acknowledged_ && low.to <= now; });
}

Ticks ReadyLine::next_edge(Ticks now) const {
  if (high_performance_ && latched(now)) return kNever;
  collect_all();
  Ticks edge = kNever;
  for (const LowTime& low : low_) {
    if (low.to > now && low.to < edge && (high_performance_ || !low_at(low.to))) edge = low.to;
  }
  return edge;
}

Ticks ReadyLine::next_change(Ticks now) const {
  Ticks change = next_edge(now);
  if (high_performance_ || !all_ready(now)) return change;
  for (const LowTime& low : low_) {
    if (low.from > now) change = std::min(change, low.from);
  }
  return change;
}

}  // namespace ftlab::hw
