// Encodings of 32 bits that multiply and divide.
#include "platform/machine/iss/arm/decoder.h"

namespace ftlab::iss::arm {
namespace multiply {
namespace {

bool needs_dsp(Decoder& d) {
  if (!d.has_dsp()) {
    d.undefined(Why::no_dsp);
  }
  return !d.has_dsp();
}

bool sources_refused(Decoder& d, bool accumulator) {
  const bool refused = is_sp_or_pc(d.bits(11, 8)) || is_sp_or_pc(d.bits(19, 16)) || is_sp_or_pc(d.bits(3, 0)) ||
                       (accumulator && d.bits(15, 12) == kSp);
  if (refused) {
    d.undefined(Why::register_not_allowed);
  }
  return refused;
}

void emit_three(Decoder& d, OpCode code, std::uint32_t imm = 0) {
  d.emit(code, d.bits(11, 8), d.bits(19, 16), d.bits(3, 0), imm, d.bits(15, 12));
}

void multiply(Decoder& d) {
  if (!sources_refused(d, true)) {
    emit_three(d, d.bits(15, 12) == kPc ? OpCode::mul : OpCode::mla);
  }
}
void multiply_subtract(Decoder& d) {
  if (d.bits(15, 12) == kPc) {
    return d.undefined(Why::register_not_allowed);
  }
  if (!sources_refused(d, true)) {
    emit_three(d, OpCode::mls);
  }
}

// Without an accumulator (PC in its place) the steps add nothing. `imm` is which halves are meant, or what is rounded.
void halves(Decoder& d) {
  if (!needs_dsp(d) && !sources_refused(d, true)) {
    emit_three(d, OpCode::smla_xy, d.bits(5, 4));
  }
}
void word_by_half(Decoder& d) {
  if (!needs_dsp(d) && !sources_refused(d, true)) {
    emit_three(d, OpCode::smlaw, d.bits(4, 4));
  }
}
void dual_halves(Decoder& d) {  // bit 0: exchanged, bit 1: subtracts
  if (!needs_dsp(d) && !sources_refused(d, true)) {
    emit_three(d, OpCode::smlad, d.bits(4, 4) | d.bits(22, 22) << 1);
  }
}
void most_significant(Decoder& d) {  // bit 0: rounded, bit 1: subtracts
  const bool subtracts = d.bits(22, 21) == 3;
  if (needs_dsp(d) || sources_refused(d, true)) {
    return;
  }
  if (subtracts && d.bits(15, 12) == kPc) {
    return d.undefined(Why::register_not_allowed);
  }
  emit_three(d, OpCode::smmla, d.bits(4, 4) | (subtracts ? 2 : 0));
}
void sum_of_differences(Decoder& d) {
  if (!needs_dsp(d) && !sources_refused(d, true)) {
    emit_three(d, OpCode::usada8);
  }
}

void divide(Decoder& d) {
  if (!sources_refused(d, false)) {
    emit_three(d, d.bit(21) ? OpCode::udiv : OpCode::sdiv);
  }
}

// Low word in `ra`, high word in `rd`.
void emit_long(Decoder& d, OpCode code, std::uint32_t imm = 0) {
  if (sources_refused(d, true)) {
    return;
  }
  if (d.bits(15, 12) == kPc) {
    return d.undefined(Why::register_not_allowed);
  }
  if (d.bits(15, 12) == d.bits(11, 8)) {
    return d.undefined(Why::same_register);
  }
  emit_three(d, code, imm);
}
void multiply_long(Decoder& d) { emit_long(d, d.bit(21) ? OpCode::umull : OpCode::smull); }
void accumulate_long(Decoder& d) { emit_long(d, d.bit(21) ? OpCode::umlal : OpCode::smlal); }
void halves_long(Decoder& d) {
  if (!needs_dsp(d)) {
    emit_long(d, OpCode::smlal_xy, d.bits(5, 4));
  }
}
void dual_halves_long(Decoder& d) {
  if (!needs_dsp(d)) {
    emit_long(d, OpCode::smlald, d.bits(4, 4) | d.bits(20, 20) << 1);
  }
}
void accumulate_twice(Decoder& d) {
  if (!needs_dsp(d)) {
    emit_long(d, OpCode::umaal);
  }
}

constexpr Encoding kEncodings[] = {
    {"111110110 000 nnnn aaaa dddd 0000 mmmm", multiply},
    {"111110110 000 nnnn aaaa dddd 0001 mmmm", multiply_subtract},
    {"111110110 001 nnnn aaaa dddd 00nm mmmm", halves},
    {"111110110 010 nnnn aaaa dddd 000x mmmm", dual_halves},
    {"111110110 100 nnnn aaaa dddd 000x mmmm", dual_halves},
    {"111110110 011 nnnn aaaa dddd 000m mmmm", word_by_half},
    {"111110110 101 nnnn aaaa dddd 000r mmmm", most_significant},
    {"111110110 110 nnnn aaaa dddd 000r mmmm", most_significant},
    {"111110110 111 nnnn aaaa dddd 0000 mmmm", sum_of_differences},
    {"111110111 0u0 nnnn llll hhhh 0000 mmmm", multiply_long},
    {"111110111 0u1 nnnn 1111 dddd 1111 mmmm", divide},
    {"111110111 100 nnnn llll hhhh 0000 mmmm", accumulate_long},
    {"111110111 100 nnnn llll hhhh 10nm mmmm", halves_long},
    {"111110111 10s nnnn llll hhhh 110x mmmm", dual_halves_long},
    {"111110111 110 nnnn llll hhhh 0000 mmmm", accumulate_long},
    {"111110111 110 nnnn llll hhhh 0110 mmmm", accumulate_twice},
};

}  // namespace
}  // namespace multiply

std::span<const Encoding> multiply_encodings() { return multiply::kEncodings; }

}  // namespace ftlab::iss::arm
