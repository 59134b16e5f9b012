#include "firmware/driver/series2plus/driver.h"

namespace ftlab {

Series2PlusDriver::Series2PlusDriver(MmioPort& common, MmioPort& attribute, ProbePort& probe,
                                     const Series2PlusDriverConfig& config)
    : common_(common),
      attribute_(attribute),
      probe_(probe),
      config_(config),
      control_(attribute, config_),
      commands_(common, config_),
      pair_erase_(common, commands_, config_),
      pair_program_(common, commands_, pair_erase_, probe, config_) {}

void Series2PlusDriver::push(std::uint32_t tag, PartStatus status) {
  if (status == PartStatus::no_vpp) control_.forget_vpp();
  finished_.push({.tag = tag, .status = status});
}

std::size_t Series2PlusDriver::submit(std::span<const PartOp> ops) {
  std::size_t accepted = 0;
  for (const PartOp& op : ops) {
    if (finished_.count() + erasing_ == DoneRing::kDepth) break;
    execute(op);
    ++accepted;
  }
  rest();
  if (suspended_ != 0) {
    for (PairState& pair : pairs_) {
      if (pair.erase == EraseState::suspended) pair_erase_.resume(pair);
    }
    suspended_ = 0;
  }
  return accepted;
}

void Series2PlusDriver::rest() {
  if (last_ != nullptr && last_->erase == EraseState::none) commands_.show_array(*last_);
}

PartStatus Series2PlusDriver::execute(const PartOp& op) {
  probe_.count(Work::driver_call, 1);
  PairState& pair = pairs_[op.segment.value() / segments_per_pair_];
  const std::uint32_t base = op.segment.value() * geometry_.segment_bytes;
  if (&pair != last_) {
    rest();
    last_ = &pair;
  }
  if (op.kind == PartOpKind::erase) return erase(pair, base, op);
  PartStatus status = PartStatus::program_failed;  // copy: no such capability, nothing of the kind exists here
  if (op.kind == PartOpKind::read) status = read(pair, base, op);
  if (op.kind == PartOpKind::program) status = program(pair, base, op);
  push(op.tag, status);
  return status;
}

void Series2PlusDriver::resume(PairState& pair) {
  if (pair.erase != EraseState::suspended) return;
  pair_erase_.resume(pair);
  --suspended_;
}

PartStatus Series2PlusDriver::read(PairState& pair, std::uint32_t base, const PartOp& op) {
  if (pair.erase != EraseState::none && (!config_.suspend_erase || pair.erase_base == base)) {
    resume(pair);
    finish_erase(pair);
  }
  if (pair.erase == EraseState::running) {
    ++suspended_;
    if (!pair_erase_.suspend(pair)) return PartStatus::timeout;
  }
  commands_.read(pair, base + op.offset, {op.into, op.length});
  return PartStatus::ok;
}

bool Series2PlusDriver::writable(PartStatus& status) {
  if (!set_up_ || control_.write_protected()) {
    status = PartStatus::write_protected;
    return false;
  }
  if (!control_.provide_vpp()) {
    status = PartStatus::no_vpp;
    return false;
  }
  return true;
}

PartStatus Series2PlusDriver::program(PairState& pair, std::uint32_t base, const PartOp& op) {
  PartStatus status = PartStatus::ok;
  if (!writable(status)) return status;
  resume(pair);
  // Beside an erase the pair suspends, programs and resumes by itself, unless it is the very segment.
  if (pair.erase == EraseState::running && (!config_.suspend_erase || pair.erase_base == base)) finish_erase(pair);
  return pair_program_.program(pair, base, base + op.offset, {op.from, op.length});
}

PartStatus Series2PlusDriver::erase(PairState& pair, std::uint32_t base, const PartOp& op) {
  resume(pair);
  if (pair.erase == EraseState::running) finish_erase(pair);
  PartStatus status = PartStatus::ok;
  if (writable(status)) status = pair_erase_.start(pair, base);
  if (status != PartStatus::ok) {
    push(op.tag, status);
    return status;
  }
  pair.erase_tag = op.tag;
  pair.erase_order = erase_order_++;
  ++erasing_;
  if (!config_.background_erase) return finish_erase(pair);
  return status;
}

void Series2PlusDriver::ended(PairState& pair, PartStatus status) {
  --erasing_;
  if (&pair != last_) commands_.show_array(pair);
  push(pair.erase_tag, status);
}

PartStatus Series2PlusDriver::finish_erase(PairState& pair) {
  const PartStatus status = pair_erase_.wait(pair);
  ended(pair, status);
  return status;
}

void Series2PlusDriver::poll_erases() {
  last_ = nullptr;
  for (PairState& pair : pairs_) {
    PartStatus status = PartStatus::ok;
    if (pair.erase == EraseState::running && pair_erase_.poll(pair, status)) ended(pair, status);
  }
}

PairState* Series2PlusDriver::oldest_erase() {
  PairState* oldest = nullptr;
  for (PairState& pair : pairs_) {
    if (pair.erase == EraseState::none) continue;
    // Start numbers wrap: compare by distance.
    if (oldest == nullptr || static_cast<std::int32_t>(pair.erase_order - oldest->erase_order) < 0) oldest = &pair;
  }
  return oldest;
}

std::size_t Series2PlusDriver::reap(std::span<PartDone> done, bool wait) {
  if (finished_.empty() && erasing_ != 0) {
    poll_erases();
    if (finished_.empty() && wait) finish_erase(*oldest_erase());
  }
  return finished_.take(done);
}

}  // namespace ftlab
