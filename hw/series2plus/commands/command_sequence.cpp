#include "hw/series2plus/commands/command_sequence.h"

#include <bit>
#include <utility>

namespace ftlab::hw {

CommandSequence::CommandSequence(const CardSpec& spec)
    : block_shift_(static_cast<std::uint32_t>(std::countr_zero(spec.segment_bytes / 2))),
      array_bytes_(spec.segments_per_pair << block_shift_) {}

CommandSequence::Outcome CommandSequence::take(std::uint32_t address, std::uint8_t value,
                                               std::array<std::byte, 2> bytes) {
  switch (phase_) {
    case Phase::erase_confirm:
      return confirm(address, value, OperationKind::erase, 1U << block_shift_);
    case Phase::erase_all_confirm:
      return confirm(0, value, OperationKind::erase_all, array_bytes_);
    case Phase::lock_confirm:
      return confirm(address, value, OperationKind::lock, 0);
    case Phase::upload_locks_confirm:
      return confirm(0, value, OperationKind::upload_locks, 0);
    case Phase::upload_info_confirm:
      return confirm(0, value, OperationKind::upload_info, 0);
    case Phase::ready_mode:
      return end(Outcome::ready_mode);
    case Phase::load_count_first:
    case Phase::load_count_second:
    case Phase::write_count_first:
    case Phase::write_count_second:
      return take_count(address, value);
    case Phase::program_data:
      keep_data(0, bytes);
      return ask(OperationKind::program, address, 1);
    case Phase::two_byte_first:
      // Address bit 0 says which half this is; the other half follows.
      first_half_ = address & 1;
      keep_data(first_half_, bytes);
      phase_ = Phase::two_byte_second;
      return Outcome::more;
    case Phase::two_byte_second:
      keep_data(first_half_ ^ 1, bytes);
      return ask(OperationKind::program, address & ~1U, 2);
    case Phase::command:
    case Phase::single_load:
    case Phase::load_data:
      break;
  }
  return Outcome::more;
}

CommandSequence::Outcome CommandSequence::confirm(std::uint32_t address, std::uint8_t code, OperationKind kind,
                                                  std::uint32_t length) {
  if (code != series2plus::command::kConfirm) return end(Outcome::wrong);
  return ask(kind, address >> block_shift_ << block_shift_, length);
}

CommandSequence::Outcome CommandSequence::take_count(std::uint32_t address, std::uint8_t value) {
  const bool first = phase_ == Phase::load_count_first || phase_ == Phase::write_count_first;
  if (first) low_count_first_ = (address & 1) == 0;
  (first == low_count_first_ ? count_low_ : count_high_) = value;
  if (!first) return end_count(address);
  phase_ = phase_ == Phase::load_count_first ? Phase::load_count_second : Phase::write_count_second;
  return Outcome::more;
}

CommandSequence::Outcome CommandSequence::end_count(std::uint32_t address) {
  const bool load = phase_ == Phase::load_count_second;
  // Loads accept either order of the two halves: the high one is always zero.
  if (load && count_low_ == 0) std::swap(count_low_, count_high_);
  if (count_high_ != 0) return end(Outcome::wrong);
  if (!load) return ask(OperationKind::buffer_program, address, count_low_ + 1U);
  words_left_ = count_low_ + 1U;
  phase_ = Phase::load_data;
  return Outcome::more;
}

void CommandSequence::keep_data(std::uint32_t half, std::array<std::byte, 2> bytes) {
  request_.data[std::size_t{half} * 2] = bytes[0];
  request_.data[std::size_t{half} * 2 + 1] = bytes[1];
}

CommandSequence::Outcome CommandSequence::ask(OperationKind kind, std::uint32_t address, std::uint32_t length) {
  request_.kind = kind;
  request_.block = address >> block_shift_;
  request_.address = address;
  request_.length = length;
  return end(Outcome::request);
}

}  // namespace ftlab::hw
