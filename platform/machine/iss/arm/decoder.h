// Makes steps of one instruction after the other. Knows encodings and IT blocks, and neither memory nor blocks of code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "platform/machine/iss/arm/op.h"
#include "platform/machine/iss/arm/registers.h"
#include "platform/machine/iss/arm/undefined.h"

namespace ftlab::iss::arm {

enum class Shift : std::uint8_t { lsl, lsr, asr, ror };

class Decoder {
 public:
  /// Appends to `steps`, which begins with the first step of the block.
  Decoder(std::vector<Op>& steps, std::uint32_t start, std::uint8_t it, bool dsp)
      : steps_(steps), start_(start), pc_(start), it_(it), dsp_(dsp) {}

  static bool is_wide(std::uint32_t first_halfword) { return first_halfword >> 11 >= 0b11101; }
  /// `code`: a halfword, or two with the first one above. The block does not go on behind one that ends it.
  void decode(std::uint32_t code, unsigned size);
  /// For a block that ends without a jump.
  void fall();
  /// The next instruction reaches into this line of flash.
  void enter_line(std::uint32_t line);
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] std::uint32_t pc() const { return pc_; }
  [[nodiscard]] std::uint8_t it() const { return it_; }
  [[nodiscard]] unsigned count() const { return index_; }

  // For the encodings.
  [[nodiscard]] std::uint32_t bits(unsigned high, unsigned low) const {
    return code_ >> low & ((2U << (high - low)) - 1);
  }
  [[nodiscard]] std::uint8_t field(unsigned high, unsigned low) const {
    return static_cast<std::uint8_t>(bits(high, low));
  }
  [[nodiscard]] bool bit(unsigned number) const { return (code_ >> number & 1) != 0; }
  [[nodiscard]] bool in_it() const { return (it_ & 0xF) != 0; }
  [[nodiscard]] bool last_in_it() const { return (it_ & 0xF) == 8; }
  [[nodiscard]] bool has_dsp() const { return dsp_; }
  /// What the instruction reads as PC.
  [[nodiscard]] std::uint32_t pc_operand() const { return pc_ + 4; }

  Op& emit(OpCode code, unsigned rd = 0, unsigned rn = 0, unsigned rm = 0, std::uint32_t imm = 0, unsigned ra = 0);
  /// The first of a table of steps (ops.inc), `s`: with flags.
  Op& emit_alu(OpCode first, Operand operand, bool s, unsigned rd, unsigned rn, unsigned rm, std::uint32_t imm);
  Op& emit_test(OpCode first, Operand operand, unsigned rn, unsigned rm, std::uint32_t imm);
  Op& emit_access(OpCode first, Mode mode, unsigned rt, unsigned rn, unsigned rm, std::uint32_t imm);
  /// Load or store of the registers of a list; `below`: at addresses below the base.
  Op& emit_multiple(OpCode code, bool below, unsigned rn, std::uint32_t list, bool writes_back);
  /// The last step of a block.
  Op& emit_end(OpCode code, unsigned rn = 0, std::uint32_t imm = 0);
  void undefined(Why why);
  /// The register, or what stands for PC as an operand.
  unsigned operand(unsigned number);
  /// Whether a branch may stand here; refuses it otherwise.
  bool branch_allowed();
  /// ITSTATE of the next instruction, by the IT instruction.
  void begin_it(std::uint8_t it) { next_it_ = it; }

 private:
  std::vector<Op>& steps_;
  std::uint32_t start_;
  std::uint32_t pc_;
  std::uint32_t code_ = 0;
  unsigned size_ = 0;
  unsigned index_ = 0;
  std::uint8_t it_;
  std::uint8_t next_it_ = 0;
  bool dsp_;
  bool ended_ = false;
};

/// An encoding as the manual prints it: zeros, ones, and letters for fields; spaces are for the reader.
struct Pattern {
  std::uint32_t mask = 0;
  std::uint32_t value = 0;

  consteval Pattern(const char* text) {  // NOLINT: tables of strings
    unsigned bits = 0;
    for (; *text != '\0'; ++text) {
      if (*text != ' ') {
        mask = mask << 1 | (*text == '0' || *text == '1' ? 1 : 0);
        value = value << 1 | (*text == '1' ? 1 : 0);
        ++bits;
      }
    }
    if (bits != 16 && bits != 32) {
      throw "an encoding has 16 or 32 bits";
    }
  }
};

struct Encoding {
  Pattern pattern;
  void (*decode)(Decoder&);
};

// The first one that fits counts.
std::span<const Encoding> narrow_encodings();
std::span<const Encoding> data_encodings();
std::span<const Encoding> memory_encodings();
std::span<const Encoding> multiply_encodings();
std::span<const Encoding> control_encodings();

constexpr bool is_sp_or_pc(unsigned reg) { return reg == kSp || reg == kPc; }
constexpr std::uint32_t sign_extended(std::uint32_t value, unsigned bits) {
  const std::uint32_t sign = 1U << (bits - 1);
  return (value ^ sign) - sign;
}

}  // namespace ftlab::iss::arm
