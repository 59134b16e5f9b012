// Which command is legal when, what a wrong one leaves behind, and what reads show.
#include "hw/series2plus/commands/component.h"

#include <algorithm>
#include <bit>

namespace ftlab::hw {

namespace command = series2plus::command;
namespace csr_bit = series2plus::csr;
namespace gsr_bit = series2plus::gsr;
namespace bsr_bit = series2plus::bsr;

namespace {

std::uint8_t identifier_at(std::uint32_t address) {
  if (address == 0) return series2plus::kManufacturerCode;
  return address == 1 ? series2plus::kDeviceCode : 0;
}

}  // namespace

Component::Component(const PairWork& pair, PageBuffers& buffers, Lanes lanes)
    : card_(&pair.card),
      buffers_(&buffers),
      block_shift_(static_cast<std::uint32_t>(std::countr_zero(pair.card.spec.segment_bytes / 2))),
      sequence_(pair.card.spec),
      machine_(pair, lanes) {}

const Request* Component::write(Ticks t, std::uint32_t address, std::uint8_t even, std::uint8_t odd) {
  const std::uint8_t value = lanes() == Lanes::odd ? odd : even;
  const std::array<std::byte, 2> bytes = {std::byte{even}, std::byte{odd}};
  if (sequence_.at_command()) {
    command(t, value);
    return nullptr;
  }
  if (sequence_.loads_buffer()) {
    load_words(address, bytes);
    return nullptr;
  }
  switch (sequence_.take(address, value, bytes)) {
    case CommandSequence::Outcome::more:
      return nullptr;
    case CommandSequence::Outcome::request:
      return ask(sequence_.request());
    case CommandSequence::Outcome::ready_mode:
      set_ready_mode(value);
      return nullptr;
    case CommandSequence::Outcome::wrong:
      wrong_sequence();
      return nullptr;
  }
  return nullptr;
}

void Component::command(Ticks t, std::uint8_t code) {
  switch (code) {  // what works in every state
    case command::kReadCsr:
      mode_ = Mode::status;
      return;
    case command::kReadExtendedStatus:
      mode_ = Mode::extended_status;
      return;
    case command::kAbort:
      return abort(t);
    default:
      break;
  }
  if (asleep_) return command_while_asleep(t, code);
  switch (code) {
    case command::kSuspend:
      if (machine_.suspend(t)) mode_ = Mode::status;
      return;
    case command::kResume:
      if (machine_.resume(t)) mode_ = Mode::status;
      return;
    case command::kSequentialLoad:
      return begin_load(Phase::load_count_first);
    case command::kSingleLoad:
      return begin_load(Phase::single_load);
    case command::kSwapPageBuffer:
      selected_ ^= 1;
      return;
    case command::kPageBufferWrite:
      return sequence_.expect(Phase::write_count_first);
    case command::kProgram:
    case command::kProgramAlternate:
      return sequence_.expect(Phase::program_data);
    case command::kTwoByteProgram:
      return sequence_.expect(Phase::two_byte_first);
    case command::kErase:
      return sequence_.expect(Phase::erase_confirm);
    case command::kEraseAllUnlocked:
      return sequence_.expect(Phase::erase_all_confirm);
    case command::kLockBlock:
      return sequence_.expect(Phase::lock_confirm);
    case command::kUploadLockBits:
      return sequence_.expect(Phase::upload_locks_confirm);
    case command::kUploadDeviceInfo:
      return sequence_.expect(Phase::upload_info_confirm);
    case command::kReadyBusyMode:
      return sequence_.expect(Phase::ready_mode);
    case command::kReadArray:
    case command::kReadIdentifier:
    case command::kReadPageBuffer:
    case command::kClearStatus:
    case command::kSleep:
      if (!queue().running()) command_while_idle(t, code);  // ignored by a working part
      return;
    default:
      return wrong_sequence();
  }
}

void Component::command_while_idle(Ticks t, std::uint8_t code) {
  switch (code) {
    case command::kReadArray:
      mode_ = Mode::array;
      return;
    case command::kReadIdentifier:
      mode_ = Mode::identifier;
      return;
    case command::kReadPageBuffer:
      mode_ = Mode::page_buffer;
      return;
    case command::kClearStatus:
      return machine_.status().clear();
    default:
      if (queue().empty()) fall_asleep(t);
      return;
  }
}

void Component::command_while_asleep(Ticks t, std::uint8_t code) {
  switch (code) {
    case command::kReadArray:
      return wake(t);
    case command::kClearStatus:
      return machine_.status().clear();
    case command::kSleep:
    case command::kSuspend:
    case command::kResume:
      return;
    default:
      return machine_.status().set_error();
  }
}

void Component::begin_load(Phase phase) {
  sequence_.expect(phase);
  // Without a free buffer the data cycles still come; they must not be taken for commands.
  discard_load_ = !machine_.buffer_free(selected_);
  if (discard_load_) machine_.status().set_error();
}

void Component::load_words(std::uint32_t address, std::span<const std::byte> from) {
  if (!discard_load_) buffers_->load(selected_, address, from, lanes());
  sequence_.count_loaded(static_cast<std::uint32_t>(from.size() / 2));
}

void Component::set_ready_mode(std::uint8_t value) {
  using namespace series2plus;
  if (value < ready_mode::kLevel || value > ready_mode::kDisable) return wrong_sequence();
  machine_.set_ready_mode(value);
}

const Request* Component::ask(const Request& request) {
  mode_ = Mode::status;
  request_ = request;
  // A program takes the buffer that was loaded; an upload fills the other one.
  request_.buffer = request.kind == OperationKind::buffer_program ? selected_ : selected_ ^ 1;
  return &request_;
}

void Component::start(const Request& request, Ticks t, std::uint32_t id, std::uint32_t tag, bool shared) {
  machine_.start(request, t, id, tag, shared);
  if (request.kind == OperationKind::buffer_program) selected_ ^= 1;
}

void Component::stop(Ticks t, std::uint8_t csr_bits, std::uint8_t bsr_bits) {
  sequence_.reset();
  machine_.stop(t, csr_bits, bsr_bits);
}

void Component::abort(Ticks t) {
  stop(t, 0, bsr_bit::kFailed | bsr_bit::kAborted);
  mode_ = Mode::status;
  if (!asleep_) fall_asleep(t);
}

void Component::fall_asleep(Ticks t) {
  asleep_ = true;
  mode_ = Mode::status;
  card_->idle.move(t, IdleState::standby, IdleState::sleep, count_of(lanes()));
}

void Component::wake(Ticks t) {
  asleep_ = false;
  mode_ = Mode::array;
  release(t);
}

void Component::wrong_sequence() {
  machine_.status().wrong_sequence();
  mode_ = Mode::status;
}

void Component::lose_vpp(Ticks t) {
  if (machine_.works_with_vpp()) stop(t, csr_bit::kVppLow, bsr_bit::kFailed | bsr_bit::kVppLow);
}

void Component::reset(Ticks t) {
  stop(t, 0, 0);
  machine_.reset();
  if (!asleep_) card_->idle.move(t, IdleState::standby, IdleState::sleep, count_of(lanes()));
  mode_ = Mode::array;
  asleep_ = false;
  selected_ = 0;
}

void Component::release(Ticks t) {
  card_->idle.move(t, IdleState::sleep, IdleState::standby, count_of(lanes()));
  awake_at_ = t + card_->spec.timing.wake;
}

std::uint8_t Component::status_at(Ticks t, std::uint32_t address) const {
  if (mode_ == Mode::extended_status) {
    const std::uint32_t in_block = address & ((1U << block_shift_) - 1);
    if (in_block == series2plus::offset::kGsr / 2) return gsr(t);
    if (in_block == series2plus::offset::kBsr / 2) return bsr(t, address >> block_shift_);
    return 0;  // reserved
  }
  if (mode_ == Mode::identifier && ready(t)) return identifier_at(address);
  return csr(t);
}

std::uint8_t Component::csr(Ticks t) const {
  std::uint8_t value = machine_.status().csr_errors();
  if (ready(t)) value |= csr_bit::kReady;
  if (queue().suspended()) value |= csr_bit::kEraseSuspended;
  return value;
}

std::uint8_t Component::gsr(Ticks t) const {
  std::uint8_t value = selected_ != 0 ? gsr_bit::kPageBufferSelected : 0;
  if (ready(t)) value |= gsr_bit::kReady;
  if (queue().suspended()) value |= gsr_bit::kSuspended;
  if (machine_.status().error()) value |= gsr_bit::kError;
  if (queue().full()) value |= gsr_bit::kQueueFull;
  if (asleep_) return value | gsr_bit::kSleep;  // page buffers have no power
  if (machine_.buffer_free(0) || machine_.buffer_free(1)) value |= gsr_bit::kPageBufferAvailable;
  if (machine_.buffer_free(selected_)) value |= gsr_bit::kPageBufferReady;
  return value;
}

std::uint8_t Component::bsr(Ticks t, std::uint32_t block) const {
  std::uint8_t value = machine_.status().block_bits(block, card_->block_lock_enable);
  if (!queue().concerns(block) && t >= awake_at_) value |= bsr_bit::kReady;
  if (queue().full()) value |= bsr_bit::kQueueFull;
  return value;
}

Ticks Component::next_status_change(Ticks after) const {
  const Ticks awake = awake_at_ > after ? awake_at_ : kNever;
  return std::min(awake, queue().next_event_after(after));
}

bool Component::same_state(const Component& other, Ticks t) const {
  const bool same_wake = awake_at_ == other.awake_at_ || (awake_at_ <= t && other.awake_at_ <= t);
  return machine_.same_state(other.machine_, t) && sequence_.at_command() && other.sequence_.at_command() &&
         mode_ == other.mode_ && asleep_ == other.asleep_ && selected_ == other.selected_ && same_wake;
}

}  // namespace ftlab::hw
