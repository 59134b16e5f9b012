#include "hw/series2plus/commands/write_state_machine.h"

#include <algorithm>
#include <bit>
#include <boost/random/uniform_real_distribution.hpp>

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

constexpr bool uses_buffer(OperationKind kind) {
  return kind == OperationKind::buffer_program || kind == OperationKind::upload_info;
}

}  // namespace

WriteStateMachine::WriteStateMachine(const PairWork& pair, Lanes lanes)
    : card_(&pair.card),
      array_(&pair.array),
      reports_(&pair.reports),
      block_shift_(static_cast<std::uint32_t>(std::countr_zero(pair.card.spec.segment_bytes / 2))),
      lanes_(lanes),
      status_(pair.card.spec.segments_per_pair) {}

bool WriteStateMachine::admit(const Request& request, Ticks t) {
  const std::uint32_t block = request.block;
  if (queue_.full()) {
    status_.fail(block, 0, bsr_bit::kFailed | bsr_bit::kAborted);
    return false;
  }
  const bool into_next_block =
      is_program(request.kind) && (request.address + request.length - 1) >> block_shift_ != block;
  const bool buffer_taken = request.kind == OperationKind::buffer_program && !buffer_free(request.buffer);
  if (into_next_block || buffer_taken) {
    status_.fail(block, csr_bit::kWriteError, bsr_bit::kFailed);
    return false;
  }
  // Setting a lock bit needs WP# high whether the block is locked or not.
  const bool lock_forbidden = request.kind == OperationKind::lock && request.honours_locks;
  if (concerns_one_block(request.kind) && (array_->skips(lanes_, request, block) || lock_forbidden)) {
    status_.fail(block, csr_bit::kEraseError | csr_bit::kWriteError, bsr_bit::kFailed);
    return false;
  }
  if (needs_vpp(request.kind) && !card_->vpp.valid(t)) {
    status_.fail(block, csr_bit::kVppLow | error_bit_of(request.kind), bsr_bit::kFailed | bsr_bit::kVppLow);
    return false;
  }
  return true;
}

void WriteStateMachine::set_power(Operation& operation, Ticks t) const {
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

void WriteStateMachine::start(const Request& request, Ticks t, std::uint32_t id, std::uint32_t tag, bool shared) {
  Operation& operation = queue_.next_slot();
  const BlockCells& cells = array_->cells(lanes_, request.block);
  operation.request = request;
  operation.started = operation.announced = false;
  operation.shared = shared;
  operation.components = static_cast<std::uint8_t>(shared ? 2 : count_of(lanes_));
  operation.worn = request.kind == OperationKind::erase ? cells.cycles >= cells.limit
                                                        : concerns_one_block(request.kind) && cells.worn;
  operation.id = id;
  operation.tag = tag;
  operation.accepted = t;
  operation.remaining = array_->duration_of(lanes_, request);
  operation.worked = operation.suspended = operation.suspended_since = Ticks::zero();
  set_power(operation, t);

  status_.begin(request.block);
  if (uses_buffer(request.kind)) ++buffer_users_[request.buffer];
  if (request.kind == OperationKind::buffer_program) array_->prefetch(request);
  queue_.schedule(t, card_->spec.timing.auto_suspend);
  if (card_->observe_begins) announce(t);
}

void WriteStateMachine::announce(Ticks t) {
  if (!queue_.running() || queue_.running_operation().announced) return;
  Operation& operation = queue_.running_operation();
  operation.announced = true;
  if (!operation.shared || lanes_ != Lanes::odd) reports_->began(operation, t);
}

void WriteStateMachine::advance_to(Ticks t) {
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
    if (card_->observe_begins) announce(at);
  }
}

void WriteStateMachine::finish(const Operation& operation, Ticks t) {
  using namespace series2plus;
  const Request& request = operation.request;
  bool ok = true;
  switch (request.kind) {
    case OperationKind::program:
    case OperationKind::buffer_program:
      ok = finish_program(operation);
      break;
    case OperationKind::erase:
      ok = erase(request.block);
      break;
    case OperationKind::erase_all:
      ok = erase_all(request);
      break;
    case OperationKind::lock:
      array_->set_lock_bits(lanes_, request.block);
      break;
    case OperationKind::upload_locks:
      upload_locks();
      break;
    case OperationKind::upload_info:
      array_->upload_info(lanes_, request.buffer);
      break;
  }
  if (uses_buffer(request.kind)) --buffer_users_[request.buffer];
  const bool pulses = (ready_mode_ == ready_mode::kPulseOnWrite && is_program(request.kind)) ||
                      (ready_mode_ == ready_mode::kPulseOnErase && is_erase(request.kind));
  if (pulses) pulse_end_ = t + card_->spec.timing.ready_pulse;
  reports_->end(operation, count_of(lanes_), t, {.failed = !ok});
}

bool WriteStateMachine::finish_program(const Operation& operation) {
  if (operation.worn) {
    leave_half_done(operation);
    status_.fail(operation.request.block, csr_bit::kWriteError, bsr_bit::kFailed);
    return false;
  }
  array_->program(lanes_, operation.request);
  return true;
}

bool WriteStateMachine::erase(std::uint32_t block) {
  if (array_->erase(lanes_, block)) return true;
  status_.fail(block, csr_bit::kEraseError, bsr_bit::kFailed);
  return false;
}

bool WriteStateMachine::erase_all(const Request& request) {
  bool ok = true;
  for (std::uint32_t block = 0; block < array_->blocks(); ++block) {
    if (!array_->skips(lanes_, request, block)) ok = erase(block) && ok;
  }
  return ok;
}

void WriteStateMachine::upload_locks() {
  for (std::uint32_t block = 0; block < array_->blocks(); ++block) {
    status_.show_lock(block, array_->cells(lanes_, block).locked);
  }
}

void WriteStateMachine::leave_half_done(const Operation& operation) {
  const Ticks total = operation.worked + operation.remaining;
  if (!operation.started || total == Ticks::zero()) return;
  double done = static_cast<double>(operation.worked.count()) / static_cast<double>(total.count());
  if (operation.worn) done = boost::random::uniform_real_distribution<double>(0, 1)(card_->power_loss) * done;
  if (is_program(operation.request.kind)) {
    array_->program_partly(lanes_, operation.request, done);
  } else if (is_erase(operation.request.kind) && operation.worked != Ticks::zero()) {
    leave_erase_half_done(operation, total);
  }
}

/// An erase of all blocks has finished some, is in the midst of one and has not touched the rest.
void WriteStateMachine::leave_erase_half_done(const Operation& operation, Ticks total) {
  const bool all = operation.request.kind == OperationKind::erase_all;
  const std::uint32_t first = all ? 0 : operation.request.block;
  const std::uint32_t last = all ? array_->blocks() - 1 : operation.request.block;
  Ticks before{};
  for (std::uint32_t block = first; block <= last && before < operation.worked; ++block) {
    if (all && array_->skips(lanes_, operation.request, block)) continue;
    const Ticks time = all ? card_->wear.erase_time(array_->cells(lanes_, block)) : total;
    if (operation.worked - before >= time) {
      erase(block);
    } else {
      const double share = static_cast<double>((operation.worked - before).count()) / static_cast<double>(time.count());
      array_->erase_partly(lanes_, block, share);
    }
    before += time;
  }
}

void WriteStateMachine::stop(Ticks t, std::uint8_t csr_bits, std::uint8_t bsr_bits) {
  if (queue_.running()) last_rise_ = t;
  queue_.stop_all(t);
  for (std::uint32_t i = 0; i < queue_.size(); ++i) {
    const Operation& operation = queue_.slot(i);
    leave_half_done(operation);
    status_.fail(operation.request.block, csr_bits | error_bit_of(operation.request.kind), bsr_bits);
    reports_->end(operation, count_of(lanes_), t, {.failed = true, .torn = operation.started});
  }
  queue_.clear();
  buffer_users_ = {};
}

bool WriteStateMachine::works_with_vpp() const {
  for (std::uint32_t i = 0; i < queue_.size(); ++i) {
    if (needs_vpp(queue_.slot(i).request.kind)) return true;
  }
  return false;
}

void WriteStateMachine::reset() {
  status_.reset();
  ready_mode_ = series2plus::ready_mode::kLevel;
  pulse_end_ = Ticks::zero();
}

void WriteStateMachine::share_operations() {
  for (std::uint32_t i = 0; i < queue_.size(); ++i) queue_.slot(i).shared = true;
}

bool WriteStateMachine::same_state(const WriteStateMachine& other, Ticks t) const {
  const bool same_pulse = pulse_end_ == other.pulse_end_ || (pulse_end_ <= t && other.pulse_end_ <= t);
  return queue_.empty() && other.queue_.empty() && ready_mode_ == other.ready_mode_ && same_pulse &&
         status_ == other.status_;
}

}  // namespace ftlab::hw
