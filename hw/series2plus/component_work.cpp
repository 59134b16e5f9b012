// Write state machine: what is admitted, what it does to the array when it ends, what it leaves when it is cut.
#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>

#include "hw/series2plus/component.h"
#include "hw/series2plus/component_pair.h"

namespace ftlab::hw {

namespace csr_bit = series2plus::csr;
namespace bsr_bit = series2plus::bsr;

namespace {

constexpr std::uint8_t error_bit_of(OperationKind kind) {
  if (is_erase(kind)) return csr_bit::kEraseError;
  return is_program(kind) || kind == OperationKind::lock ? csr_bit::kWriteError : 0;
}

constexpr bool concerns_one_block(OperationKind kind) {
  return kind == OperationKind::erase || kind == OperationKind::lock || is_program(kind);
}

constexpr bool needs_vpp(OperationKind kind) {
  return kind != OperationKind::upload_locks && kind != OperationKind::upload_info;
}

}  // namespace

std::uint32_t Component::segment_of(std::uint32_t block) const { return pair_->index() * blocks() + block; }

std::uint32_t Component::card_address(std::uint32_t address) const { return pair_->base() + address * 2; }

BlockCells& Component::cells(std::uint32_t block) const {
  return card_->wear.cells(segment_of(block), first_lane(lanes_));
}

bool Component::admit(const Request& request, Ticks t) {
  const std::uint32_t block = request.block;
  if (queue_.full()) {
    fail(block, 0, bsr_bit::kFailed | bsr_bit::kAborted);
    return false;
  }
  const bool into_next_block =
      is_program(request.kind) && (request.address + request.length - 1) >> block_shift_ != block;
  const bool buffer_taken = request.kind == OperationKind::buffer_program && !buffer_free(request.buffer);
  if (into_next_block || buffer_taken) {
    fail(block, csr_bit::kWriteError, bsr_bit::kFailed);
    return false;
  }
  // Setting a lock bit needs WP# high whether the block is locked or not.
  const bool lock_forbidden = request.kind == OperationKind::lock && request.honours_locks;
  if (concerns_one_block(request.kind) && (skips(request, block) || lock_forbidden)) {
    fail(block, csr_bit::kEraseError | csr_bit::kWriteError, bsr_bit::kFailed);
    return false;
  }
  if (needs_vpp(request.kind) && !card_->vpp.valid(t)) {
    fail(block, csr_bit::kVppLow | error_bit_of(request.kind), bsr_bit::kFailed | bsr_bit::kVppLow);
    return false;
  }
  return true;
}

Ticks Component::duration_of(const Request& request) const {
  switch (request.kind) {
    case OperationKind::program:
      return card_->wear.word_program_time(cells(request.block));
    case OperationKind::buffer_program:
      return card_->wear.buffer_program_time(cells(request.block), request.length);
    case OperationKind::erase:
      return card_->wear.erase_time(cells(request.block));
    case OperationKind::erase_all: {
      Ticks sum{};
      for (std::uint32_t block = 0; block < blocks(); ++block) {
        if (!skips(request, block)) sum += card_->wear.erase_time(cells(block));
      }
      return sum;
    }
    case OperationKind::lock:
      return card_->spec.timing.lock_program;
    case OperationKind::upload_locks:
    case OperationKind::upload_info:
      return card_->spec.timing.upload;
  }
  return Ticks::zero();
}

void Component::set_power(Operation& operation, Ticks t) const {
  const CardPower& power = card_->spec.power;
  const bool generator = card_->vpp.source(t) == VppSource::generator;
  const auto pick = [generator](const PowerBySource& p) { return generator ? p.generator : p.socket; };
  operation.suspended_uw = 0;
  if (is_erase(operation.request.kind)) {
    operation.power_uw = pick(power.erase_uw);
    operation.suspended_uw = pick(power.suspended_uw);
  } else if (needs_vpp(operation.request.kind)) {
    operation.power_uw = pick(power.program_uw);
  } else {
    operation.power_uw = power.read_uw;
  }
}

void Component::start(const Request& request, Ticks t, std::uint32_t id, std::uint32_t tag, bool shared) {
  Operation& operation = queue_.next_slot();
  operation.request = request;
  operation.started = false;
  operation.failed = false;
  operation.shared = shared;
  operation.components = static_cast<std::uint8_t>(shared ? 2 : count_of(lanes_));
  operation.worn = false;
  if (request.kind == OperationKind::erase) {
    operation.worn = cells(request.block).cycles >= cells(request.block).limit;
  } else if (concerns_one_block(request.kind)) {
    operation.worn = cells(request.block).worn;
  }
  operation.id = id;
  operation.tag = tag;
  operation.accepted = t;
  operation.remaining = duration_of(request);
  operation.worked = operation.suspended = operation.suspended_since = operation.other_worked = Ticks::zero();
  operation.other_end = Ticks::zero();
  operation.other_energy = Picojoules{};
  set_power(operation, t);

  block_flags_[request.block] &= static_cast<std::uint8_t>(~bsr_bit::kAborted);
  if (request.kind == OperationKind::buffer_program) {
    ++buffer_users_[request.buffer];
    selected_ ^= 1;
    card_->medium.prefetch(card_address(request.address), request.length);
  } else if (request.kind == OperationKind::upload_info) {
    ++buffer_users_[request.buffer];
  }
  queue_.schedule(t, card_->spec.timing.auto_suspend);
}

void Component::advance_to(Ticks t) {
  while (queue_.next_event() <= t) {
    const Ticks at = queue_.next_event();
    if (queue_.next_event_finishes()) {
      queue_.account_finish();
      finish(queue_.running_operation(), at);
      queue_.pop(at);
    } else {
      queue_.give_way(at);
    }
    if (!queue_.running()) last_rise_ = at;
  }
}

void Component::finish(Operation& operation, Ticks t) {
  using namespace series2plus;
  bool ok = true;
  switch (operation.request.kind) {
    case OperationKind::program:
    case OperationKind::buffer_program:
      ok = finish_program(operation);
      break;
    case OperationKind::erase:
      ok = finish_erase(operation.request.block);
      break;
    case OperationKind::erase_all:
      ok = finish_erase_all(operation.request);
      break;
    case OperationKind::lock:
      set_lock_bits(operation.request.block);
      break;
    case OperationKind::upload_locks:
      upload_locks();
      break;
    case OperationKind::upload_info:
      upload_info(operation.request.buffer);
      break;
  }
  if (operation.request.kind == OperationKind::buffer_program || operation.request.kind == OperationKind::upload_info) {
    --buffer_users_[operation.request.buffer];
  }
  const bool pulses = (ready_mode_ == ready_mode::kPulseOnWrite && is_program(operation.request.kind)) ||
                      (ready_mode_ == ready_mode::kPulseOnErase && is_erase(operation.request.kind));
  if (pulses) pulse_end_ = t + card_->spec.timing.ready_pulse;
  report(operation, t, !ok);
}

bool Component::finish_program(const Operation& operation) {
  if (operation.worn) {
    leave_half_done(operation);
    fail(operation.request.block, csr_bit::kWriteError, bsr_bit::kFailed);
    return false;
  }
  pair_->program(lanes_, operation.request, operation.request.length);
  return true;
}

bool Component::finish_erase(std::uint32_t block) {
  const std::uint32_t address = card_address(block << block_shift_);
  const bool worn = cells(block).cycles >= cells(block).limit;
  for (std::uint32_t lane = 0; lane < 2; ++lane) {
    if (!includes(lanes_, lane)) continue;
    BlockCells& block_cells = card_->wear.cells(segment_of(block), lane);
    ++block_cells.cycles;
    block_cells.worn = block_cells.worn || worn;
    if (!worn) block_cells.locked = false;  // only reached while lock bits do not count
  }
  if (worn) {
    boost::random::uniform_real_distribution<double> progress(0.5, 1.0);
    card_->medium.erase_partly(lanes_, address, 1U << block_shift_, progress(card_->accidents), card_->accidents);
    fail(block, csr_bit::kEraseError, bsr_bit::kFailed);
    return false;
  }
  card_->medium.erase(lanes_, address, 1U << block_shift_);
  return true;
}

bool Component::finish_erase_all(const Request& request) {
  bool ok = true;
  for (std::uint32_t block = 0; block < blocks(); ++block) {
    if (!skips(request, block)) ok = finish_erase(block) && ok;
  }
  return ok;
}

void Component::set_lock_bits(std::uint32_t block) {
  for (std::uint32_t lane = 0; lane < 2; ++lane) {
    if (includes(lanes_, lane)) card_->wear.cells(segment_of(block), lane).locked = true;
  }
}

void Component::upload_locks() {
  locks_uploaded_ = true;
  for (std::uint32_t block = 0; block < blocks(); ++block) {
    block_flags_[block] &= static_cast<std::uint8_t>(~bsr_bit::kUnlocked);
    if (!cells(block).locked) block_flags_[block] |= bsr_bit::kUnlocked;
  }
}

void Component::upload_info(std::uint32_t buffer) {
  for (std::uint32_t lane = 0; lane < 2; ++lane) {
    if (!includes(lanes_, lane)) continue;
    for (std::uint32_t i = 0; i < PageBuffers::kBytes; ++i) {
      const bool revision = i == series2plus::kDeviceRevisionByte;
      pair_->buffers().at(buffer, i, lane) = revision ? std::byte{card_->spec.device_revision} : std::byte{0xFF};
    }
  }
}

void Component::leave_half_done(const Operation& operation) {
  const Ticks total = operation.worked + operation.remaining;
  if (!operation.started || total == Ticks::zero()) return;
  double done = static_cast<double>(operation.worked.count()) / static_cast<double>(total.count());
  if (operation.worn) done = boost::random::uniform_real_distribution<double>(0, 1)(card_->accidents) * done;
  if (is_program(operation.request.kind)) {
    pair_->program_partly(lanes_, operation.request, done);
    return;
  }
  if (!is_erase(operation.request.kind) || operation.worked == Ticks::zero()) return;
  // An erase of all blocks has finished some, is in the midst of one and has not touched the rest.
  Ticks before{};
  const bool all = operation.request.kind == OperationKind::erase_all;
  const std::uint32_t first = all ? 0 : operation.request.block;
  const std::uint32_t last = all ? blocks() - 1 : operation.request.block;
  for (std::uint32_t block = first; block <= last && before < operation.worked; ++block) {
    if (all && skips(operation.request, block)) continue;
    const Ticks time = all ? card_->wear.erase_time(cells(block)) : total;
    if (operation.worked - before >= time) {
      finish_erase(block);
    } else {
      const double share = static_cast<double>((operation.worked - before).count()) / static_cast<double>(time.count());
      card_->medium.erase_partly(lanes_, card_address(block << block_shift_), 1U << block_shift_, share,
                                 card_->accidents);
      for (std::uint32_t lane = 0; lane < 2; ++lane) {
        if (includes(lanes_, lane)) ++card_->wear.cells(segment_of(block), lane).cycles;
      }
    }
    before += time;
  }
}

void Component::cut(Ticks t, std::uint8_t csr_bits, std::uint8_t bsr_bits) {
  phase_ = Phase::command;
  if (queue_.running()) last_rise_ = t;
  queue_.stop_all(t);
  for (std::uint32_t i = 0; i < queue_.size(); ++i) {
    Operation& operation = queue_.slot(i);
    leave_half_done(operation);
    fail(operation.request.block, csr_bits | error_bit_of(operation.request.kind), bsr_bits);
    report(operation, t, true);
  }
  queue_.clear();
  buffer_users_ = {};
}

void Component::lose_vpp(Ticks t) {
  bool needed = false;
  for (std::uint32_t i = 0; i < queue_.size(); ++i) needed = needed || needs_vpp(queue_.slot(i).request.kind);
  if (needed) cut(t, csr_bit::kVppLow, bsr_bit::kFailed | bsr_bit::kVppLow);
}

void Component::reset(Ticks t) {
  cut(t, 0, 0);
  if (!asleep_) card_->idle.move(t, IdleState::standby, IdleState::sleep, count_of(lanes_));
  mode_ = Mode::array;
  asleep_ = false;
  general_error_ = locks_uploaded_ = false;
  csr_errors_ = 0;
  selected_ = 0;
  ready_mode_ = series2plus::ready_mode::kLevel;
  pulse_end_ = Ticks::zero();
  std::ranges::fill(block_flags_, std::uint8_t{0});
}

void Component::release(Ticks t) {
  card_->idle.move(t, IdleState::sleep, IdleState::standby, count_of(lanes_));
  awake_at_ = t + card_->spec.timing.wake;
}

void Component::share_operations() {
  for (std::uint32_t i = 0; i < queue_.size(); ++i) queue_.slot(i).shared = true;
}

Operation* Component::find_shared(std::uint32_t id) {
  for (std::uint32_t i = 0; i < queue_.size(); ++i) {
    if (queue_.slot(i).shared && queue_.slot(i).id == id) return &queue_.slot(i);
  }
  return nullptr;
}

void Component::report(Operation& operation, Ticks t, bool failed) {
  const Picojoules one =
      energy_of(operation.power_uw, operation.worked) + energy_of(operation.suspended_uw, operation.suspended);
  const Picojoules energy = operation.other_energy + one * count_of(lanes_);
  const Ticks worked = std::max(operation.other_worked, operation.worked);
  const Ticks end = std::max(operation.other_end, t);
  operation.failed = operation.failed || failed;
  if (operation.shared) {
    if (Operation* twin = pair_->other(*this).find_shared(operation.id)) {
      twin->other_energy = energy;
      twin->other_worked = worked;
      twin->other_end = end;
      twin->failed = operation.failed;
      return;
    }
  }
  pair_->report_end(operation, end, worked, energy);
}

void Component::fail(std::uint32_t block, std::uint8_t csr_bits, std::uint8_t bsr_bits) {
  csr_errors_ |= csr_bits;
  general_error_ = true;
  block_flags_[block] |= bsr_bits;
}

}  // namespace ftlab::hw
