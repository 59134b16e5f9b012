// Erasing a segment, waiting for it or letting it run, and holding it for reads.
#include "firmware/driver/series2plus/sequences.h"
#include "hw/regs/series2plus_regs.h"

namespace ftlab {

namespace regs = hw::series2plus;
namespace code = hw::series2plus::command;
using regs::doubled;

bool Series2PlusSequences::segment_unlocked(PairState& pair, std::uint32_t base) {
  constexpr std::uint16_t kUnlocked = doubled(regs::bsr::kUnlocked);
  show_extended_status(pair, base);
  if ((common_.read16(base + regs::offset::kBsr) & kUnlocked) == kUnlocked) return true;
  // A reset that the driver did not see makes every block look locked: ask for the true bits once.
  if (pair.erase != EraseState::none || !upload_lock_bits(pair)) return false;
  show_extended_status(pair, base);
  return (common_.read16(base + regs::offset::kBsr) & kUnlocked) == kUnlocked;
}

void Series2PlusSequences::issue_erase(PairState& pair) {
  common_.write16(pair.erase_base, doubled(code::kErase));
  common_.write16(pair.erase_base, doubled(code::kConfirm));
  pair.mode = ReadMode::unknown;
  pair.erase = EraseState::running;
}

FlashStatus Series2PlusSequences::start_erase(PairState& pair, std::uint32_t base) {
  // The blocked erase of a locked block may end without an error bit, so the lock is looked at before.
  if (config_.honour_locks && !segment_unlocked(pair, base)) return FlashStatus::write_protected;
  // A pair that erases in the background must not hold down the line by which other pairs report their programs.
  const bool wants_line = !config_.background_erase && config_.erase_wait == DriverWait::interrupt;
  const bool disturbs = config_.background_erase && config_.program_wait == DriverWait::interrupt;
  if ((wants_line && !pair.ready_line) || (disturbs && pair.ready_line)) {
    if (!set_ready_line(pair, wants_line)) return FlashStatus::timeout;
  }
  pair.erase_base = base;
  pair.erase_attempts = 0;
  issue_erase(pair);
  return FlashStatus::ok;
}

bool Series2PlusSequences::end_erase(PairState& pair, std::uint16_t csr, FlashStatus& result) {
  pair.erase = EraseState::none;
  if ((csr & doubled(regs::csr::kErrors)) == 0) {
    result = FlashStatus::ok;
    return true;
  }
  recover(pair, pair.erase_base, FlashStatus::erase_failed);
  if ((csr & doubled(regs::csr::kVppLow)) != 0) {
    result = FlashStatus::no_vpp;
    return true;
  }
  if (pair.erase_attempts >= config_.retries) {
    result = FlashStatus::erase_failed;
    return true;
  }
  ++pair.erase_attempts;
  issue_erase(pair);
  return false;
}

bool Series2PlusSequences::poll_erase(PairState& pair, FlashStatus& result) {
  constexpr std::uint16_t kReady = doubled(regs::csr::kReady);
  show_compatible_status(pair, pair.erase_base);
  const std::uint16_t csr = common_.read16(pair.erase_base);
  return (csr & kReady) == kReady && end_erase(pair, csr, result);
}

FlashStatus Series2PlusSequences::wait_erase(PairState& pair) {
  constexpr std::uint16_t kReady = doubled(regs::csr::kReady);
  const bool by_interrupt = config_.erase_wait == DriverWait::interrupt && pair.ready_line;
  for (;;) {
    show_compatible_status(pair, pair.erase_base);
    const WaitResult ready = common_.wait_until({.address = pair.erase_base,
                                                 .mask = kReady,
                                                 .expected = kReady,
                                                 .style = by_interrupt ? WaitStyle::ready_interrupt : WaitStyle::sleep,
                                                 .poll_interval_ns = by_interrupt ? 0 : config_.erase_poll_ns,
                                                 .deadline_ns = config_.erase_deadline_ns});
    if (!ready.met) {
      pair.erase = EraseState::none;
      recover(pair, pair.erase_base, FlashStatus::timeout);
      return FlashStatus::timeout;
    }
    FlashStatus result = FlashStatus::ok;
    if (end_erase(pair, ready.value, result)) return result;
  }
}

bool Series2PlusSequences::suspend_erase(PairState& pair) {
  command(pair, pair.erase_base, code::kSuspend);
  show_extended_status(pair, pair.erase_base);
  const bool ready = await_status(pair.erase_base + regs::offset::kGsr, regs::gsr::kReady, true);
  // Without an answer the erase may still come to a halt later; resume_erase() reads what holds then.
  pair.erase = EraseState::suspended;
  return ready;
}

void Series2PlusSequences::resume_erase(PairState& pair) {
  // Only a component that is suspended takes the command as "resume"; its neighbour may have finished before.
  constexpr std::uint16_t kSuspended = doubled(regs::gsr::kSuspended);
  show_extended_status(pair, pair.erase_base);
  const std::uint16_t suspended = common_.read16(pair.erase_base + regs::offset::kGsr) & kSuspended;
  if (suspended == kSuspended) {
    common_.write16(pair.erase_base, doubled(code::kResume));
  } else if (suspended != 0) {
    common_.write8(pair.erase_base + ((suspended >> 8) != 0 ? 1 : 0), code::kResume);
  }
  pair.mode = ReadMode::unknown;
  pair.erase = EraseState::running;
}

}  // namespace ftlab
