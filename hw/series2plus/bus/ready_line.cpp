// The line is the union of the low times of all components.
#include "hw/series2plus/bus/ready_line.h"

#include <algorithm>

namespace ftlab::hw {

namespace ready_mode = series2plus::ready_mode;

void ReadyLine::collect(const WriteStateMachine& machine, Ticks since) const {
  const std::uint8_t mode = machine.ready_mode();
  const OperationQueue& queue = machine.queue();
  if (mode == ready_mode::kDisable) return;
  if (mode == ready_mode::kLevel) {
    if (machine.last_rise() > since) low_.push_back({Ticks::min(), machine.last_rise()});
    if (queue.running()) low_.push_back({Ticks::min(), queue.idle_at()});
    return;
  }
  const Ticks pulse = machine.pulse_width();
  if (machine.pulse_end() > since) low_.push_back({machine.pulse_end() - pulse, machine.pulse_end()});
  OperationQueue trial = queue;
  while (trial.running()) {
    const Ticks t = trial.next_event();
    if (!trial.next_event_finishes()) {
      trial.give_way(t);
      continue;
    }
    const OperationKind kind = trial.running_operation().request.kind;
    const bool pulses = mode == ready_mode::kPulseOnWrite ? is_program(kind) : is_erase(kind);
    if (pulses) low_.push_back({t, t + pulse});
    trial.pop(t);
  }
}

void ReadyLine::collect_all(Ticks since) const {
  low_.clear();
  for (const auto& pair : pairs_) {
    for (const Component& component : pair->components()) collect(component.machine(), since);
  }
}

std::optional<Ticks> ReadyLine::find_end_of_levels() const {
  Ticks end = Ticks::min();
  for (const auto& pair : pairs_) {
    for (const Component& component : pair->components()) {
      const WriteStateMachine& machine = component.machine();
      if (machine.ready_mode() == ready_mode::kDisable) continue;
      if (machine.ready_mode() != ready_mode::kLevel) return std::nullopt;
      end = std::max(end, machine.last_rise());
      if (machine.queue().running()) end = std::max(end, machine.queue().idle_at());
    }
  }
  return end;
}

bool ReadyLine::low_at(Ticks t) const {
  return std::ranges::any_of(low_, [t](const LowTime& low) { return low.from <= t && t < low.to; });
}

bool ReadyLine::all_ready(Ticks now) const {
  if (const auto end = end_of_levels()) return now >= *end;
  collect_all(now);
  return !low_at(now);
}

bool ReadyLine::latched(Ticks now) const {
  collect_all(acknowledged_);
  return std::ranges::any_of(low_, [&](const LowTime& low) { return low.to > acknowledged_ && low.to <= now; });
}

Ticks ReadyLine::next_edge(Ticks now) const {
  if (high_performance_) {
    if (latched(now)) return kNever;
  } else if (const auto end = end_of_levels()) {
    return *end > now ? *end : kNever;
  }
  collect_all(now);
  Ticks edge = kNever;
  for (const LowTime& low : low_) {
    if (low.to > now && low.to < edge && (high_performance_ || !low_at(low.to))) edge = low.to;
  }
  return edge;
}

Ticks ReadyLine::next_change(Ticks now) const {
  Ticks change = next_edge(now);
  if (high_performance_ || !all_ready(now)) return change;
  collect_all(now);
  for (const LowTime& low : low_) {
    if (low.from > now) change = std::min(change, low.from);
  }
  return change;
}

}  // namespace ftlab::hw
