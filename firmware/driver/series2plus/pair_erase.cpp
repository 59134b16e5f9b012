#include "firmware/driver/series2plus/pair_erase.h"

#include "hw/regs/series2plus_regs.h"

namespace ftlab {

namespace regs = hw::series2plus;
namespace code = hw::series2plus::command;
using regs::doubled;

void PairErase::recover(PairState& pair, std::uint32_t base, PartStatus why) {
  if (pair.erase == EraseState::running && why != PartStatus::timeout && clear_errors_beside(pair)) return;
  commands_.abort(pair, base);
  if (pair.erase == EraseState::running) issue(pair);
}

bool PairErase::clear_errors_beside(PairState& pair) {
  if (!suspend(pair)) {
    pair.erase = EraseState::running;
    return false;
  }
  // Clearing would also wipe out that the erase has failed meanwhile.
  constexpr std::uint16_t kFailed = doubled(regs::bsr::kFailed);
  const bool failed = (common_.read16(pair.erase_base + regs::offset::kBsr) & kFailed) != 0;
  commands_.clear_status(pair, pair.erase_base);
  if (failed) {
    ++pair.erase_attempts;
    issue(pair);
  } else {
    resume(pair);
  }
  return true;
}

void PairErase::issue(PairState& pair) {
  common_.write16(pair.erase_base, doubled(code::kErase));
  common_.write16(pair.erase_base, doubled(code::kConfirm));
  pair.mode = ReadMode::unknown;
  pair.erase = EraseState::running;
}

PartStatus PairErase::start(PairState& pair, std::uint32_t base) {
  // The blocked erase of a locked block may end without an error bit, so the lock is looked at before.
  if (config_.honour_locks && !commands_.segment_unlocked(pair, base)) return PartStatus::write_protected;
  // A pair that erases in the background must not hold down the line by which other pairs report their programs.
  const bool wants_line = !config_.background_erase && config_.erase_wait == DriverWait::interrupt;
  const bool disturbs = config_.background_erase && config_.program_wait == DriverWait::interrupt;
  if ((wants_line && !pair.ready_line) || (disturbs && pair.ready_line)) {
    if (!commands_.set_ready_line(pair, wants_line)) return PartStatus::timeout;
  }
  pair.erase_base = base;
  pair.erase_attempts = 0;
  issue(pair);
  return PartStatus::ok;
}

bool PairErase::end(PairState& pair, std::uint16_t csr, PartStatus& result) {
  pair.erase = EraseState::none;
  if ((csr & doubled(regs::csr::kErrors)) == 0) {
    result = PartStatus::ok;
    return true;
  }
  recover(pair, pair.erase_base, PartStatus::erase_failed);
  if ((csr & doubled(regs::csr::kVppLow)) != 0) {
    result = PartStatus::no_vpp;
    return true;
  }
  if (pair.erase_attempts >= config_.retries) {
    result = PartStatus::erase_failed;
    return true;
  }
  ++pair.erase_attempts;
  issue(pair);
  return false;
}

bool PairErase::poll(PairState& pair, PartStatus& result) {
  constexpr std::uint16_t kReady = doubled(regs::csr::kReady);
  commands_.show_compatible_status(pair, pair.erase_base);
  const std::uint16_t csr = common_.read16(pair.erase_base);
  return (csr & kReady) == kReady && end(pair, csr, result);
}

PartStatus PairErase::wait(PairState& pair) {
  constexpr std::uint16_t kReady = doubled(regs::csr::kReady);
  const bool by_interrupt = config_.erase_wait == DriverWait::interrupt && pair.ready_line;
  for (;;) {
    commands_.show_compatible_status(pair, pair.erase_base);
    const WaitResult ready = common_.wait_until({.address = pair.erase_base,
                                                 .mask = kReady,
                                                 .expected = kReady,
                                                 .style = by_interrupt ? WaitStyle::ready_interrupt : WaitStyle::sleep,
                                                 .poll_interval_ns = by_interrupt ? 0 : config_.erase_poll_ns,
                                                 .deadline_ns = config_.erase_deadline_ns});
    if (!ready.met) {
      pair.erase = EraseState::none;
      recover(pair, pair.erase_base, PartStatus::timeout);
      return PartStatus::timeout;
    }
    PartStatus result = PartStatus::ok;
    if (end(pair, ready.value, result)) return result;
  }
}

bool PairErase::suspend(PairState& pair) {
  commands_.command(pair, pair.erase_base, code::kSuspend);
  commands_.show_extended_status(pair, pair.erase_base);
  const bool ready = commands_.await_status(pair.erase_base + regs::offset::kGsr, regs::gsr::kReady, true);
  // Without an answer the erase may still come to a halt later; resume() reads what holds then.
  pair.erase = EraseState::suspended;
  return ready;
}

void PairErase::resume(PairState& pair) {
  // Only a component that is suspended takes the command as "resume"; its neighbour may have finished before.
  constexpr std::uint16_t kSuspended = doubled(regs::gsr::kSuspended);
  commands_.show_extended_status(pair, pair.erase_base);
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
