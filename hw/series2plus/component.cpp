// Command user interface: cycles to commands. Which command is legal when, and what a wrong one leaves behind.
#include "hw/series2plus/component.h"

#include <bit>
#include <utility>

#include "hw/series2plus/component_pair.h"

namespace ftlab::hw {

namespace command = series2plus::command;
namespace csr_bit = series2plus::csr;
namespace bsr_bit = series2plus::bsr;

Component::Component(CardContext& card, ComponentPair& pair, Lanes lanes)
    : card_(&card),
      pair_(&pair),
      block_shift_(static_cast<std::uint32_t>(std::countr_zero(card.spec.segment_bytes / 2))),
      lanes_(lanes),
      ready_mode_(series2plus::ready_mode::kLevel),
      block_flags_(card.spec.segments_per_pair) {}

void Component::write(Ticks t, std::uint32_t address, std::uint8_t even, std::uint8_t odd) {
  const std::uint8_t value = lanes_ == Lanes::odd ? odd : even;
  const std::byte bytes[2] = {std::byte{even}, std::byte{odd}};
  switch (phase_) {
    case Phase::command:
      return command(t, value);
    case Phase::erase_confirm:
      return confirm(t, address, value, OperationKind::erase);
    case Phase::erase_all_confirm:
      return confirm(t, 0, value, OperationKind::erase_all);
    case Phase::lock_confirm:
      return confirm(t, address, value, OperationKind::lock);
    case Phase::upload_locks_confirm:
      return confirm(t, 0, value, OperationKind::upload_locks);
    case Phase::upload_info_confirm:
      return confirm(t, 0, value, OperationKind::upload_info);
    case Phase::ready_mode:
      return set_ready_mode(value);
    case Phase::load_count_first:
    case Phase::load_count_second:
    case Phase::write_count_first:
    case Phase::write_count_second:
      return take_count(t, address, value);
    case Phase::program_data:
      program_data_[0] = bytes[0];
      program_data_[1] = bytes[1];
      return submit_program(t, address, 1);
    case Phase::two_byte_first:
      // Address bit 0 says which half this is; the other half follows.
      first_address_ = address;
      program_data_[(address & 1) * 2] = bytes[0];
      program_data_[(address & 1) * 2 + 1] = bytes[1];
      phase_ = Phase::two_byte_second;
      return;
    case Phase::two_byte_second: {
      const std::uint32_t half = (first_address_ & 1) ^ 1;
      program_data_[half * 2] = bytes[0];
      program_data_[half * 2 + 1] = bytes[1];
      return submit_program(t, address & ~1U, 2);
    }
    case Phase::single_load:
      words_left_ = 1;
      return load_words(address, bytes, 1);
    case Phase::load_data:
      return load_words(address, bytes, 1);
  }
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
      if (queue_.suspend(t, card_->spec.timing.erase_suspend)) mode_ = Mode::status;
      return;
    case command::kResume:
      if (queue_.resume(t)) mode_ = Mode::status;
      return;
    case command::kSequentialLoad:
      return begin_load(Phase::load_count_first);
    case command::kSingleLoad:
      return begin_load(Phase::single_load);
    case command::kSwapPageBuffer:
      selected_ ^= 1;
      return;
    case command::kPageBufferWrite:
      phase_ = Phase::write_count_first;
      return;
    case command::kProgram:
    case command::kProgramAlternate:
      phase_ = Phase::program_data;
      return;
    case command::kTwoByteProgram:
      phase_ = Phase::two_byte_first;
      return;
    case command::kErase:
      phase_ = Phase::erase_confirm;
      return;
    case command::kEraseAllUnlocked:
      phase_ = Phase::erase_all_confirm;
      return;
    case command::kLockBlock:
      phase_ = Phase::lock_confirm;
      return;
    case command::kUploadLockBits:
      phase_ = Phase::upload_locks_confirm;
      return;
    case command::kUploadDeviceInfo:
      phase_ = Phase::upload_info_confirm;
      return;
    case command::kReadyBusyMode:
      phase_ = Phase::ready_mode;
      return;
    case command::kReadArray:
    case command::kReadIdentifier:
    case command::kReadPageBuffer:
    case command::kClearStatus:
    case command::kSleep:
      if (!queue_.running()) command_while_idle(t, code);  // ignored by a working part
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
      return clear_status();
    default:
      if (queue_.empty()) fall_asleep(t);
      return;
  }
}

void Component::command_while_asleep(Ticks t, std::uint8_t code) {
  switch (code) {
    case command::kReadArray:
      return wake(t);
    case command::kClearStatus:
      return clear_status();
    case command::kSleep:
    case command::kSuspend:
    case command::kResume:
      return;
    default:
      general_error_ = true;
      return;
  }
}

void Component::begin_load(Phase phase) {
  phase_ = phase;
  // Without a free buffer the data cycles still come; they must not be taken for commands.
  discard_load_ = !buffer_free(selected_);
  if (discard_load_) general_error_ = true;
}

void Component::load_words(std::uint32_t address, const std::byte* from, std::uint32_t words) {
  if (!discard_load_) {
    PageBuffers& buffers = pair_->buffers();
    if (lanes_ == Lanes::both) {
      buffers.load(selected_, address, from, words);
    } else {
      const std::uint32_t lane = first_lane(lanes_);
      for (std::uint32_t i = 0; i < words; ++i) buffers.at(selected_, address + i, lane) = from[i * 2 + lane];
    }
  }
  words_left_ -= words;
  if (words_left_ == 0) phase_ = Phase::command;
}

void Component::confirm(Ticks t, std::uint32_t address, std::uint8_t code, OperationKind kind) {
  if (code != command::kConfirm) return wrong_sequence();
  Request request;
  request.kind = kind;
  request.block = address >> block_shift_;
  request.address = request.block << block_shift_;
  const std::uint32_t block_bytes = 1U << block_shift_;
  if (kind == OperationKind::erase) request.length = block_bytes;
  if (kind == OperationKind::erase_all) request.length = blocks() * block_bytes;
  request.buffer = selected_ ^ 1;
  submit(t, request);
}

void Component::take_count(Ticks t, std::uint32_t address, std::uint8_t value) {
  const bool first = phase_ == Phase::load_count_first || phase_ == Phase::write_count_first;
  if (first) low_count_first_ = (address & 1) == 0;
  (first == low_count_first_ ? count_low_ : count_high_) = value;
  if (first) {
    phase_ = phase_ == Phase::load_count_first ? Phase::load_count_second : Phase::write_count_second;
  } else {
    end_count(t, address);
  }
}

void Component::end_count(Ticks t, std::uint32_t address) {
  const bool load = phase_ == Phase::load_count_second;
  // Loads accept either order of the two halves: the high one is always zero.
  if (load && count_low_ == 0) std::swap(count_low_, count_high_);
  if (count_high_ != 0) return wrong_sequence();
  if (load) {
    words_left_ = count_low_ + 1U;
    phase_ = Phase::load_data;
    return;
  }
  Request request;
  request.kind = OperationKind::buffer_program;
  request.block = address >> block_shift_;
  request.address = address;
  request.length = count_low_ + 1U;
  request.buffer = selected_;
  submit(t, request);
}

void Component::submit_program(Ticks t, std::uint32_t address, std::uint32_t length) {
  Request request;
  request.kind = OperationKind::program;
  request.block = address >> block_shift_;
  request.address = address;
  request.length = length;
  request.data = program_data_;
  submit(t, request);
}

void Component::submit(Ticks t, const Request& request) {
  mode_ = Mode::status;
  phase_ = Phase::command;
  pair_->submit(*this, t, request);  // may split the pair: nothing may follow
}

void Component::set_ready_mode(std::uint8_t value) {
  using namespace series2plus;
  if (value < ready_mode::kLevel || value > ready_mode::kDisable) return wrong_sequence();
  ready_mode_ = value;
  phase_ = Phase::command;
}

void Component::abort(Ticks t) {
  cut(t, 0, bsr_bit::kFailed | bsr_bit::kAborted);
  mode_ = Mode::status;
  if (!asleep_) fall_asleep(t);
}

void Component::fall_asleep(Ticks t) {
  asleep_ = true;
  mode_ = Mode::status;
  card_->idle.move(t, IdleState::standby, IdleState::sleep, count_of(lanes_));
}

void Component::wake(Ticks t) {
  asleep_ = false;
  mode_ = Mode::array;
  release(t);
}

void Component::clear_status() {
  csr_errors_ = 0;
  general_error_ = false;
  for (std::uint8_t& flags : block_flags_) flags &= static_cast<std::uint8_t>(~(bsr_bit::kFailed | bsr_bit::kVppLow));
}

void Component::wrong_sequence() {
  csr_errors_ |= csr_bit::kEraseError | csr_bit::kWriteError;
  general_error_ = true;
  mode_ = Mode::status;
  phase_ = Phase::command;
}

}  // namespace ftlab::hw
