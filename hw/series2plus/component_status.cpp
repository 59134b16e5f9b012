// Status registers and identifier as a component shows them.
#include <algorithm>

#include "hw/series2plus/component.h"
#include "hw/series2plus/component_pair.h"

namespace ftlab::hw {

namespace csr_bit = series2plus::csr;
namespace gsr_bit = series2plus::gsr;
namespace bsr_bit = series2plus::bsr;

std::uint8_t Component::status_at(Ticks t, std::uint32_t address) const {
  if (mode_ == Mode::extended_status) {
    const std::uint32_t in_block = address & ((1U << block_shift_) - 1);
    if (in_block == series2plus::offset::kGsr / 2) return gsr(t);
    if (in_block == series2plus::offset::kBsr / 2) return bsr(t, address >> block_shift_);
    return 0;  // reserved
  }
  if (mode_ == Mode::identifier && ready(t)) return identifier(address);
  return csr(t);
}

std::uint8_t Component::csr(Ticks t) const {
  std::uint8_t value = csr_errors_;
  if (ready(t)) value |= csr_bit::kReady;
  if (queue_.suspended()) value |= csr_bit::kEraseSuspended;
  return value;
}

std::uint8_t Component::gsr(Ticks t) const {
  std::uint8_t value = selected_ != 0 ? gsr_bit::kPageBufferSelected : 0;
  if (ready(t)) value |= gsr_bit::kReady;
  if (queue_.suspended()) value |= gsr_bit::kSuspended;
  if (general_error_) value |= gsr_bit::kError;
  if (queue_.full()) value |= gsr_bit::kQueueFull;
  if (asleep_) return value | gsr_bit::kSleep;  // page buffers have no power
  if (buffer_free(0) || buffer_free(1)) value |= gsr_bit::kPageBufferAvailable;
  if (buffer_free(selected_)) value |= gsr_bit::kPageBufferReady;
  return value;
}

std::uint8_t Component::bsr(Ticks t, std::uint32_t block) const {
  std::uint8_t value = block_flags_[block];
  // Before an upload every block counts as locked while lock bits count, and as unlocked while they do not.
  if (!locks_uploaded_ && !card_->block_lock_enable) value |= bsr_bit::kUnlocked;
  if (!queue_.concerns(block) && t >= awake_at_) value |= bsr_bit::kReady;
  if (queue_.full()) value |= bsr_bit::kQueueFull;
  return value;
}

std::uint8_t Component::identifier(std::uint32_t address) const {
  if (address == 0) return series2plus::kManufacturerCode;
  return address == 1 ? series2plus::kDeviceCode : 0;
}

Ticks Component::next_status_change(Ticks after) const {
  Ticks next = awake_at_ > after ? awake_at_ : kNever;
  if (!queue_.running()) return next;
  if (queue_.next_event() > after) return std::min(next, queue_.next_event());
  // Work that ended before `after` has not been looked at yet: try the future out on a copy.
  OperationQueue trial = queue_;
  while (trial.next_event() <= after) {
    const Ticks t = trial.next_event();
    if (trial.next_event_finishes()) {
      trial.pop(t);
    } else {
      trial.give_way(t);
    }
  }
  return std::min(next, trial.next_event());
}

bool Component::same_state(const Component& other, Ticks t) const {
  const auto equal_or_past = [t](Ticks a, Ticks b) { return a == b || (a <= t && b <= t); };
  return queue_.empty() && other.queue_.empty() && phase_ == Phase::command && other.phase_ == Phase::command &&
         mode_ == other.mode_ && asleep_ == other.asleep_ && general_error_ == other.general_error_ &&
         locks_uploaded_ == other.locks_uploaded_ && csr_errors_ == other.csr_errors_ && selected_ == other.selected_ &&
         ready_mode_ == other.ready_mode_ && equal_or_past(awake_at_, other.awake_at_) &&
         equal_or_past(pulse_end_, other.pulse_end_) && block_flags_ == other.block_flags_;
}

}  // namespace ftlab::hw
