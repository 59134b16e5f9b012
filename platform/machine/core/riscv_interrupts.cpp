#include "platform/machine/core/riscv_interrupts.h"

#include <bit>

#include "platform/machine/core/core_clock.h"

namespace ftlab::platform {

namespace board = hw::riscv_board;

namespace {

constexpr std::uint32_t kSources = ((1U << RiscvInterrupts::kLines) - 1) << board::kFirstSource;
constexpr std::uint32_t kHighestPriority = 7;
constexpr unsigned kRegisterBytes = 4;

constexpr std::uint64_t with_word(std::uint64_t whole, bool high, std::uint32_t word) {
  return high ? (whole & 0xFFFFFFFFU) | std::uint64_t{word} << 32 : (whole >> 32 << 32) | word;
}
constexpr std::uint32_t word_of(std::uint64_t whole, bool high) {
  return static_cast<std::uint32_t>(high ? whole >> 32 : whole);
}

}  // namespace

void RiscvInterrupts::reset(std::uint64_t cycle) {
  *this = {};
  begun_ = cycle;
}

bool RiscvInterrupts::read(std::uint32_t address, unsigned size, std::uint64_t cycle, std::uint32_t& value) {
  if (size != kRegisterBytes) return false;
  const std::uint32_t priority = (address - board::kPriority) / kRegisterBytes;
  if (address >= board::kPriority && priority < priority_.size()) {
    value = priority_.at(priority);
    return true;
  }
  switch (address) {
    case board::kMtimecmp:
    case board::kMtimecmp + kRegisterBytes:
      value = word_of(compare_, address != board::kMtimecmp);
      return true;
    case board::kMtime:
    case board::kMtime + kRegisterBytes:
      value = word_of(cycle - begun_, address != board::kMtime);
      return true;
    case board::kPending:
      value = pending_;
      return true;
    case board::kEnable:
      value = enabled_;
      return true;
    case board::kThreshold:
      value = threshold_;
      return true;
    case board::kClaim:
      value = claim();
      return true;
    default:
      return false;
  }
}

bool RiscvInterrupts::write(std::uint32_t address, unsigned size, std::uint32_t value) {
  if (size != kRegisterBytes) return false;
  const std::uint32_t priority = (address - board::kPriority) / kRegisterBytes;
  if (address >= board::kPriority && priority < priority_.size()) {
    if (priority >= board::kFirstSource) priority_.at(priority) = value & kHighestPriority;
    return true;
  }
  switch (address) {
    case board::kMtimecmp:
    case board::kMtimecmp + kRegisterBytes:
      compare_ = with_word(compare_, address != board::kMtimecmp, value);
      return true;
    case board::kEnable:
      enabled_ = value & kSources;
      return true;
    case board::kThreshold:
      threshold_ = value & kHighestPriority;
      return true;
    case board::kClaim:
      complete(value);
      return true;
    default:
      return false;
  }
}

void RiscvInterrupts::raise(unsigned line) {
  const std::uint32_t source = 1U << (board::kFirstSource + line);
  ((served_ & source) != 0 ? again_ : pending_) |= source;
}

std::uint64_t RiscvInterrupts::timer_cycle() const {
  const bool never = compare_ > CoreClock::kNeverCycle - begun_;
  return never ? CoreClock::kNeverCycle : begun_ + compare_;
}

std::optional<unsigned> RiscvInterrupts::claimed() const {
  if (served_ == 0) return std::nullopt;
  return static_cast<unsigned>(std::countr_zero(served_)) - board::kFirstSource;
}

unsigned RiscvInterrupts::next_source() const {
  unsigned best = 0;
  for (unsigned source = board::kFirstSource; source < priority_.size(); ++source) {
    const bool asks = (pending_ & enabled_ & 1U << source) != 0;
    if (asks && priority_.at(source) > priority_.at(best)) best = source;
  }
  return best;
}

bool RiscvInterrupts::line_interrupts() const { return priority_.at(next_source()) > threshold_; }

std::uint32_t RiscvInterrupts::claim() {
  const unsigned source = next_source();
  if (source == 0) return 0;
  pending_ &= ~(1U << source);
  served_ |= 1U << source;
  return source;
}

void RiscvInterrupts::complete(std::uint32_t source) {
  if (source >= priority_.size()) return;
  const std::uint32_t bit = 1U << source & enabled_;
  served_ &= ~bit;
  pending_ |= again_ & bit;
  again_ &= ~bit;
}

}  // namespace ftlab::platform
