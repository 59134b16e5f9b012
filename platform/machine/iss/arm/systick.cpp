#include "platform/machine/iss/arm/systick.h"

#include <utility>

namespace ftlab::iss::arm {

bool SysTick::advance_to(std::uint64_t now) {
  if (now < zero_at_) {
    return false;
  }
  control_ |= kCounted;
  was_zero_at_ = zero_at_;
  zero_at_ = kNever;
  if (reload_ != 0) {
    const std::uint64_t period = std::uint64_t{reload_} + 1;
    was_zero_at_ += (now - was_zero_at_) / period * period;
    zero_at_ = was_zero_at_ + period;
  }
  return (control_ & kException) != 0;
}

std::uint32_t SysTick::read_control() { return std::exchange(control_, control_ & ~kCounted); }

std::uint32_t SysTick::value(std::uint64_t now) const {
  if (!enabled()) {
    return stopped_at_;
  }
  // With a reload value of zero it stays at zero.
  return now == was_zero_at_ || zero_at_ == kNever ? 0 : static_cast<std::uint32_t>(zero_at_ - now);
}

void SysTick::start(std::uint32_t value, std::uint64_t now) {
  if (value != 0) {
    zero_at_ = now + value;
  } else {
    // It is loaded with the next cycle, and comes to zero again from there.
    was_zero_at_ = now;
    zero_at_ = reload_ == 0 ? kNever : now + 1 + reload_;
  }
}

void SysTick::write_control(std::uint32_t value, std::uint64_t now) {
  const std::uint32_t counter = this->value(now);
  const bool starts = (value & kEnable) != 0;
  const bool ran = enabled();
  control_ = (control_ & kCounted) | (value & (kEnable | kException)) | kCoreClock;
  if (starts && !ran) {
    start(counter, now);
  } else if (!starts) {
    stopped_at_ = counter;
    zero_at_ = kNever;
    was_zero_at_ = kNever;
  }
}

void SysTick::write_reload(std::uint32_t value, std::uint64_t now) {
  reload_ = value & kMask;
  // One that has come to rest at zero starts again.
  if (enabled() && zero_at_ == kNever) {
    start(0, now);
  }
}

void SysTick::write_value(std::uint64_t now) {
  control_ &= ~kCounted;
  stopped_at_ = 0;
  if (enabled()) {
    start(0, now);
  }
}

}  // namespace ftlab::iss::arm
