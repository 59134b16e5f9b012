#include "hw/array/commands/operation_meter.h"

#include <algorithm>
#include <utility>

#include "hw/array/commands/completions.h"

namespace ftlab::hw::array {

void OperationMeter::uncount(DeviceOpKind kind, std::uint32_t bytes, Ticks busy, OpEnergy energy, bool failed) {
  OperationTotal& total = totals_[static_cast<std::size_t>(kind)];
  --total.operations;
  total.bytes -= bytes;
  total.busy -= busy;
  total.energy -= energy;
  if (failed) --total.failed;
  OperationTotal& undone = (*undone_)[static_cast<std::size_t>(kind)];
  ++undone.operations;
  undone.bytes += bytes;
  undone.busy += busy;
  undone.energy += energy;
  if (failed) ++undone.failed;
}

void OperationMeter::count_torn(DeviceOpKind kind, const Spent& spared, bool failed_anyway) {
  OperationTotal& total = totals_[static_cast<std::size_t>(kind)];
  total.busy -= spared.busy;
  total.energy -= spared.energy;
  OperationTotal& undone = (*undone_)[static_cast<std::size_t>(kind)];
  undone.busy += spared.busy;
  undone.energy += spared.energy;
  ++total.torn;
  --undone.torn;
  if (failed_anyway) return;
  ++total.failed;
  --undone.failed;
}

Spent OperationMeter::spared(const Spent& cost, Ticks end, Ticks now) {
  const Ticks left = std::min(end - now, cost.busy);
  const double share = static_cast<double>(left.count()) / static_cast<double>(cost.busy.count());
  return {left, OpEnergy{Picojoules{static_cast<std::int64_t>(static_cast<double>(cost.energy.count()) * share)}}};
}

void OperationMeter::start(const DeviceOp& op, std::uint32_t sequence) {
  pending_.push_back({op, sequence, started_++, false});
  observer_->on_start(pending_.back().op);
  std::push_heap(pending_.begin(), pending_.end(), ends_later);
  next_end_ = pending_.front().op.end;
  if (begins_) next_begin_ = std::min(next_begin_, op.start);
}

void OperationMeter::delay(std::uint32_t sequence, std::uint32_t die, Ticks now, Ticks by) {
  for (Pending& pending : pending_) {
    if (pending.sequence != sequence || pending.op.device != die || pending.op.end <= now) continue;
    if (pending.op.start > now) pending.op.start += by;
    pending.op.end += by;
  }
  order_pending();
}

void OperationMeter::delay(std::span<const std::uint32_t> sequences, std::uint32_t die, Ticks from, Ticks by) {
  for (Pending& pending : pending_) {
    // What a copy reads for a program unit comes before the program that it makes whole.
    if (pending.op.device != die || pending.op.start < from) continue;
    if (!std::ranges::binary_search(sequences, pending.sequence, is_older)) continue;
    pending.op.start += by;
    pending.op.end += by;
  }
  order_pending();
}

void OperationMeter::move(std::span<const MovedWork> works) {
  for (Pending& pending : pending_) {
    DeviceOp& op = pending.op;
    auto next = std::ranges::lower_bound(works, pending.sequence, is_older, &MovedWork::sequence);
    for (; next != works.end() && next->sequence == pending.sequence; ++next) {
      const MovedWork& work = *next;
      if (work.die != op.device || op.start < work.begin_before || op.end > work.end_before) continue;
      const Ticks by = work.begin - work.begin_before;
      op.end = op.end == work.end_before ? work.end : op.end + by;
      op.start += by;
      break;
    }
  }
  order_pending();
}

void OperationMeter::order_pending() {
  std::make_heap(pending_.begin(), pending_.end(), ends_later);
  next_end_ = pending_.empty() ? kNever : pending_.front().op.end;
  if (!begins_) return;
  next_begin_ = kNever;
  for (const Pending& pending : pending_)
    if (!pending.begun) next_begin_ = std::min(next_begin_, pending.op.start);
}

void OperationMeter::report_begins(Ticks now) {
  std::vector<Pending*> begun;
  next_begin_ = kNever;
  for (Pending& pending : pending_) {
    if (pending.begun) continue;
    if (pending.op.start < now) {
      begun.push_back(&pending);
    } else {
      next_begin_ = std::min(next_begin_, pending.op.start);
    }
  }
  std::ranges::sort(begun, [](const Pending* a, const Pending* b) {
    return std::pair(a->op.start, a->place) < std::pair(b->op.start, b->place);
  });
  for (Pending* pending : begun) {
    pending->begun = true;
    observer_->on_begin(pending->op.kind, pending->op.start, pending->op.end);
  }
}

void OperationMeter::report_ends(Ticks now) {
  while (next_end_ <= now) {
    std::pop_heap(pending_.begin(), pending_.end(), ends_later);
    const DeviceOp ended = pending_.back().op;
    pending_.pop_back();
    next_end_ = pending_.empty() ? kNever : pending_.front().op.end;
    observer_->on_end(ended);
  }
}

void OperationMeter::abandon(Ticks now) {
  std::vector<Pending> abandoned;
  abandoned.swap(pending_);
  next_end_ = next_begin_ = kNever;
  std::ranges::sort(abandoned, {}, &Pending::place);
  for (Pending& pending : abandoned) {
    DeviceOp& op = pending.op;
    const Spent cost{op.busy, OpEnergy{op.energy}};
    const Spent left = op.start >= now ? cost : spared(cost, op.end, now);
    op.begun = op.start < now;
    op.busy -= left.busy;
    op.energy -= left.energy;
    op.start = std::min(op.start, now);
    op.end = now;
    op.failed = true;
    op.torn = op.begun;
    observer_->on_end(op);
  }
}

}  // namespace ftlab::hw::array
