// Order of work in one write state machine; the rules are in the header.
#include "hw/series2plus/commands/operation_queue.h"

#include <algorithm>

namespace ftlab::hw {

bool OperationQueue::concerns(std::uint32_t block) const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (slots_[i].request.block == block || slots_[i].request.kind == OperationKind::erase_all) return true;
  }
  return false;
}

void OperationQueue::update_next_event() { next_event_ = running_ < 0 ? kNever : std::min(run_end(), stop_at_); }

bool OperationQueue::next_event_finishes() const { return run_end() <= stop_at_; }

void OperationQueue::skip_event() {
  const Ticks t = next_event_;
  if (next_event_finishes()) {
    pop(t);
  } else {
    give_way(t);
  }
}

Ticks OperationQueue::next_event_after(Ticks t) const {
  if (next_event_ > t) return next_event_;
  OperationQueue trial = *this;
  while (trial.next_event_ <= t) trial.skip_event();
  return trial.next_event_;
}

Ticks OperationQueue::simulate_idle_at() const {
  if (running_ < 0) return kNever;
  OperationQueue trial = *this;
  Ticks t = trial.next_event_;
  while (trial.running()) {
    t = trial.next_event_;
    trial.skip_event();
  }
  return t;
}

void OperationQueue::account_finish() {
  Operation& operation = running_operation();
  operation.worked += operation.remaining;
  operation.remaining = Ticks::zero();
}

void OperationQueue::pop(Ticks t) {
  for (auto i = static_cast<std::uint32_t>(running_); i + 1 < count_; ++i) slots_[i] = slots_[i + 1];
  --count_;
  pick(t);
}

void OperationQueue::give_way(Ticks t) {
  bank(t);
  pick(t);
}

void OperationQueue::schedule(Ticks now, Ticks auto_suspend) {
  ++count_;
  if (running_ < 0) {
    pick(now);
  } else if (is_erase(running_operation().request.kind) && may_overtake(count_ - 1)) {
    stop_at_ = std::min(stop_at_, now + auto_suspend);
    update_next_event();
  }
}

bool OperationQueue::suspend(Ticks now, Ticks latency) {
  if (suspend_requested_ || count_ == 0 || !is_erase(slots_[0].request.kind) || !slots_[0].started) return false;
  suspend_requested_ = true;
  if (running_ == 0) {
    stop_at_ = std::min(stop_at_, now + latency);
    update_next_event();
  }
  return true;
}

bool OperationQueue::resume(Ticks now) {
  if (!suspended_) return false;
  suspended_ = false;
  suspend_requested_ = false;
  slots_[0].suspended += now - slots_[0].suspended_since;
  if (running_ < 0) pick(now);
  return true;
}

void OperationQueue::stop_all(Ticks now) {
  if (running_ >= 0) bank(now);
  if (suspended_) slots_[0].suspended += now - slots_[0].suspended_since;
  running_ = -1;
  stop_at_ = kNever;
  next_event_ = kNever;
  suspended_ = false;
  suspend_requested_ = false;
}

void OperationQueue::clear() { count_ = 0; }

bool OperationQueue::may_overtake(std::uint32_t index) const {
  if (!is_program(slots_[index].request.kind)) return false;
  for (std::uint32_t i = 0; i < index; ++i) {
    const bool other_block = slots_[i].request.block != slots_[index].request.block;
    if (slots_[i].request.kind != OperationKind::erase && !is_program(slots_[i].request.kind)) return false;
    if (!other_block) return false;
  }
  return true;
}

void OperationQueue::bank(Ticks t) {
  Operation& operation = running_operation();
  const Ticks done = std::min(t - run_since_, operation.remaining);
  operation.remaining -= done;
  operation.worked += done;
}

void OperationQueue::pick(Ticks t) {
  running_ = -1;
  stop_at_ = kNever;
  next_event_ = kNever;
  if (count_ == 0) {
    suspend_requested_ = false;
    return;
  }
  std::uint32_t choice = 0;
  if (is_erase(slots_[0].request.kind)) {
    for (std::uint32_t i = 1; i < count_ && choice == 0; ++i) {
      if (may_overtake(i)) choice = i;
    }
    if (choice == 0 && slots_[0].started && suspend_requested_) {
      if (!suspended_) slots_[0].suspended_since = t;
      suspended_ = true;
      return;
    }
  }
  if (!slots_[0].started || !is_erase(slots_[0].request.kind)) suspend_requested_ = false;
  running_ = static_cast<std::int32_t>(choice);
  slots_[choice].started = true;
  run_since_ = t;
  update_next_event();
}

}  // namespace ftlab::hw
