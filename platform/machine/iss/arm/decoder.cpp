#include "platform/machine/iss/arm/decoder.h"

#include <array>
#include <bit>

namespace ftlab::iss::arm {
namespace {

OpCode offset_by(OpCode first, unsigned steps) { return static_cast<OpCode>(static_cast<unsigned>(first) + steps); }

const Encoding* find_encoding(std::span<const Encoding> encodings, std::uint32_t code) {
  for (const Encoding& encoding : encodings) {
    if ((code & encoding.pattern.mask) == encoding.pattern.value) {
      return &encoding;
    }
  }
  return nullptr;
}

const Encoding* find_encoding(std::uint32_t code, unsigned size) {
  if (size == 2) {
    return find_encoding(narrow_encodings(), code);
  }
  for (const auto encodings : {data_encodings, memory_encodings, multiply_encodings, control_encodings}) {
    if (const Encoding* found = find_encoding(encodings(), code)) {
      return found;
    }
  }
  return nullptr;
}

}  // namespace

void Decoder::decode(std::uint32_t code, unsigned size) {
  code_ = code;
  size_ = size;
  const unsigned condition = in_it() ? it_ >> 4 : 14;
  next_it_ = (it_ & 7) == 0 ? 0 : static_cast<std::uint8_t>((it_ & 0xE0) | (it_ << 1 & 0x1F));
  // A breakpoint does not ask for the condition.
  const bool skipped = condition < 14 && !(size == 2 && code >> 8 == 0xBE);
  const std::size_t before = steps_.size();
  if (skipped) {
    emit(OpCode::skip_unless, 0, 0, 0, 0, condition);
  }
  if (const Encoding* encoding = find_encoding(code, size)) {
    encoding->decode(*this);
  } else {
    undefined(Why::unallocated);
  }
  if (skipped) {
    steps_[before].imm = static_cast<std::uint32_t>(steps_.size() - before);
  }
  pc_ += size;
  it_ = next_it_;
  ++index_;
  if (skipped && ended_) {
    fall();
  }
}

void Decoder::fall() {
  size_ = 0;
  emit_end(OpCode::fall, 0, pc_);
}

void Decoder::enter_line(std::uint32_t line) {
  size_ = 0;
  emit(OpCode::line, 0, 0, 0, line);
}

Op& Decoder::emit(OpCode code, unsigned rd, unsigned rn, unsigned rm, std::uint32_t imm, unsigned ra) {
  steps_.push_back({.code = code,
                    .rd = static_cast<std::uint8_t>(rd),
                    .rn = static_cast<std::uint8_t>(rn),
                    .rm = static_cast<std::uint8_t>(rm),
                    .ra = static_cast<std::uint8_t>(ra),
                    .it = it_,
                    .place = static_cast<std::uint8_t>((pc_ - start_) / 2),
                    .imm = imm,
                    .index = static_cast<std::uint8_t>(index_),
                    .size = static_cast<std::uint8_t>(size_)});
  return steps_.back();
}

Op& Decoder::emit_alu(OpCode first, Operand operand, bool s, unsigned rd, unsigned rn, unsigned rm, std::uint32_t imm) {
  const OpCode code = offset_by(first, static_cast<unsigned>(operand) * 2 + (s ? 1 : 0));
  const bool constant = operand == Operand::imm || operand == Operand::imm_c;
  Op& op = emit(code, rd, rn, rm, imm, constant ? 0 : imm);
  if (rd == kSp) {
    return emit(OpCode::align_sp);
  }
  return op;
}

Op& Decoder::emit_test(OpCode first, Operand operand, unsigned rn, unsigned rm, std::uint32_t imm) {
  const bool constant = operand == Operand::imm || operand == Operand::imm_c;
  return emit(offset_by(first, static_cast<unsigned>(operand)), 0, rn, rm, imm, constant ? 0 : imm);
}

Op& Decoder::emit_access(OpCode first, Mode mode, unsigned rt, unsigned rn, unsigned rm, std::uint32_t imm) {
  return emit(offset_by(first, static_cast<unsigned>(mode)), rt, rn, rm, imm);
}

Op& Decoder::emit_multiple(OpCode code, bool below, unsigned rn, std::uint32_t list, bool writes_back) {
  const auto bytes = 4U * static_cast<unsigned>(std::popcount(list));
  return emit(code, below ? 1 : 0, rn, bytes, list, writes_back ? 1 : 0);
}

Op& Decoder::emit_end(OpCode code, unsigned rn, std::uint32_t imm) {
  ended_ = true;
  return emit(code, 0, rn, 0, imm);
}

void Decoder::undefined(Why why) { emit_end(OpCode::undefined, 0, code_).why = static_cast<std::uint8_t>(why); }

unsigned Decoder::operand(unsigned number) {
  if (number != kPc) {
    return number;
  }
  emit(OpCode::mov_imm, kPcOperand, 0, 0, pc_operand());
  return kPcOperand;
}

bool Decoder::branch_allowed() {
  if (in_it() && !last_in_it()) {
    undefined(Why::not_last_in_it_block);
    return false;
  }
  return true;
}

}  // namespace ftlab::iss::arm
