#include "tests/cores/riscv_program.h"

#include <array>

namespace ftlab::tests {
namespace {

// Registers with a purpose; all others are written and read as it comes.
constexpr std::uint32_t kSp = 2, kS0 = 8, kS1 = 9, kPointer = 26, kCounter = 27;
constexpr std::uint32_t kSpOffset = 1024, kS0Offset = 2048, kS1Offset = 3072;

/// They keep whatever is written: mscratch, mcause, mtval.
constexpr std::array<std::uint32_t, 3> kCsrs = {0x340, 0x342, 0x343};

constexpr bool is_reserved(std::uint32_t reg) {
  return reg == kSp || reg == kS0 || reg == kS1 || reg == kPointer || reg == kCounter;
}

class Writer {
 public:
  explicit Writer(Dice& dice) : dice_(dice) {}

  RiscvProgram program() {
    // What outlives a program is the same for each.
    for (const std::uint32_t csr : kCsrs) word(csr << 20 | 1 << 12 | 0x73);  // csrw csr, zero
    word(0x03U << 27 | kPointer << 15 | 2 << 12 | 0x2f);                     // sc.w zero, zero, (s10)
    const std::uint32_t count = 8 + dice_.below(40);
    for (std::uint32_t i = 0; i < count; ++i) add_something(true);
    for (const Jump& jump : jumps_) land(jump);
    return {halves_};
  }

 private:
  struct Jump {
    std::size_t at;              ///< in halves_
    std::uint32_t instructions;  ///< over so many
    enum class Kind { branch, jal, compressed_branch, compressed_jump } kind;
  };

  std::uint32_t any() { return dice_.below(32); }
  std::uint32_t free() {
    std::uint32_t reg = any();
    while (is_reserved(reg)) reg = any();
    return reg;
  }
  /// x8 to x15 by three bits.
  std::uint32_t any_short() { return dice_.below(8); }
  std::uint32_t free_short() { return 2 + dice_.below(6); }

  void half(std::uint32_t code) {
    starts_.push_back(halves_.size());
    halves_.push_back(static_cast<std::uint16_t>(code));
  }
  void word(std::uint32_t code) {
    half(code & 0xffff);
    halves_.push_back(static_cast<std::uint16_t>(code >> 16));
  }

  /// Nothing jumps to instructions since `begin` but the first: they are not safe to be executed without it.
  void hide_all_but_first(std::size_t begin) { starts_.resize(begin + 1); }

  void add_something(bool jumps_too) {
    switch (dice_.below(jumps_too ? 20 : 16)) {
      case 0:
      case 1:
        return add_immediate();
      case 2:
      case 3:
      case 4:
        return add_registers();
      case 5:
        return word(dice_.bits() << 12 | free() << 7 | (dice_.one_in(2) ? 0x37 : 0x17));  // lui, auipc
      case 6:
      case 7:
        return add_access();
      case 8:
        return dice_.one_in(2) ? add_atomic() : add_csr();
      case 9:
        return word(dice_.one_in(2) ? 0x0ff0000f : 0x0000100f);  // fence, fence.i
      case 10:
      case 11:
      case 12:
        return add_compressed_access();
      case 13:
      case 14:
      case 15:
        return add_compressed();
      case 16:
        return add_loop();
      default:
        return add_jump();
    }
  }

  void add_immediate() {
    const std::uint32_t funct3 = dice_.below(8);
    std::uint32_t imm = dice_.bits() & 0xfff;
    if (funct3 == 1) imm &= 31;
    if (funct3 == 5) imm &= 0x41f;
    word(imm << 20 | any() << 15 | funct3 << 12 | free() << 7 | 0x13);
  }

  void add_registers() {
    const std::uint32_t funct3 = dice_.below(8);
    std::uint32_t funct7 = dice_.below(2);
    if (funct7 == 0 && (funct3 == 0 || funct3 == 5)) funct7 = dice_.below(2) << 5;
    word(funct7 << 25 | any() << 20 | any() << 15 | funct3 << 12 | free() << 7 | 0x33);
  }

  /// An offset from one of the registers that point into memory, so that four bytes there are memory.
  std::uint32_t offset_from(std::uint32_t base) {
    const std::uint32_t middle = base == kSp ? kSpOffset : base == kS0 ? kS0Offset : kS1Offset;
    const std::uint32_t lowest = middle < 2048 ? 0 : middle - 2048;
    const std::uint32_t highest = middle + 2047 < kRiscvRamBytes - 4 ? middle + 2047 : kRiscvRamBytes - 4;
    const std::uint32_t offset = lowest + dice_.below(highest - lowest + 1) - middle;
    return dice_.one_in(4) ? offset : offset & ~3U;
  }

  void add_access() {
    const std::uint32_t base = dice_.one_of(std::array{kSp, kS0, kS1});
    const std::uint32_t offset = offset_from(base);
    if (dice_.one_in(2)) {
      const std::uint32_t funct3 = dice_.one_of(std::array{0U, 1U, 2U, 4U, 5U});
      return word((offset & 0xfff) << 20 | base << 15 | funct3 << 12 | free() << 7 | 0x03);
    }
    word((offset >> 5 & 127) << 25 | any() << 20 | base << 15 | dice_.below(3) << 12 | (offset & 31) << 7 | 0x23);
  }

  void add_atomic() {
    constexpr std::array<std::uint32_t, 9> kAmo = {0x00, 0x01, 0x04, 0x08, 0x0c, 0x10, 0x14, 0x18, 0x1c};
    word((dice_.below(1024) * 4 - kS0Offset) << 20 | kS0 << 15 | kPointer << 7 | 0x13);  // addi
    const auto atomic = [&](std::uint32_t funct5, std::uint32_t rs2) {
      word(funct5 << 27 | dice_.below(4) << 25 | rs2 << 20 | kPointer << 15 | 2 << 12 | free() << 7 | 0x2f);
    };
    if (!dice_.one_in(3)) return atomic(dice_.one_of(kAmo), any());
    if (!dice_.one_in(3)) atomic(0x02, 0);  // lr.w
    if (dice_.one_in(2)) add_registers();
    atomic(0x03, any());  // sc.w
  }

  void add_csr() {
    const std::uint32_t funct3 = dice_.one_of(std::array{1U, 2U, 3U, 5U, 6U, 7U});
    word(dice_.one_of(kCsrs) << 20 | any() << 15 | funct3 << 12 | free() << 7 | 0x73);
  }

  void add_compressed() {
    const std::uint32_t imm = dice_.bits() & 0x107c;  // bits 12 and 6 to 2
    const std::uint32_t some = imm == 0 ? 4 : imm;
    switch (dice_.below(10)) {
      case 9:
        return move_sp();
      case 0:  // c.addi4spn
        return half((dice_.bits() & 0x1fe0) | 0x20 | free_short() << 2);
      case 1:  // c.addi
        return half(0x0001 | free() << 7 | imm);
      case 2:  // c.li
        return half(0x4001 | free() << 7 | imm);
      case 3:  // c.lui
        return half(0x6001 | free() << 7 | some);
      case 4:  // c.srli, c.srai, c.andi
        switch (dice_.below(3)) {
          case 0:
            return half(0x8001 | free_short() << 7 | (imm & 0x7c));
          case 1:
            return half(0x8401 | free_short() << 7 | (imm & 0x7c));
          default:
            return half(0x8801 | free_short() << 7 | imm);
        }
      case 5:  // c.sub, c.xor, c.or, c.and
        return half(0x8c01 | free_short() << 7 | dice_.below(4) << 5 | any_short() << 2);
      case 6:  // c.slli
        return half(0x0002 | free() << 7 | (imm & 0x7c));
      case 7:  // c.mv
        return half(0x8002 | free() << 7 | (1 + dice_.below(31)) << 2);
      default:  // c.add
        return half(0x9002 | free() << 7 | (1 + dice_.below(31)) << 2);
    }
  }

  /// c.addi16sp there and back.
  void move_sp() {
    const std::size_t first = starts_.size();
    const std::uint32_t distance = 16 * (1 + dice_.below(31));
    const auto move = [this](std::uint32_t by) {
      half(0x6101 | (by >> 9 & 1) << 12 | (by >> 4 & 1) << 6 | (by >> 6 & 1) << 5 | (by >> 7 & 3) << 3 |
           (by >> 5 & 1) << 2);
    };
    move(distance);
    half(0x8002 | free() << 7 | kSp << 2);  // c.mv
    move(0U - distance);
    hide_all_but_first(first);
  }

  void add_compressed_access() {
    const std::uint32_t base = dice_.below(2);  // s0 or s1
    switch (dice_.below(4)) {
      case 0:  // c.lw
        return half(0x4000 | (dice_.bits() & 0x1c60) | base << 7 | free_short() << 2);
      case 1:  // c.sw
        return half(0xc000 | (dice_.bits() & 0x1c60) | base << 7 | any_short() << 2);
      case 2: {  // c.lwsp
        std::uint32_t rd = free();
        while (rd == 0) rd = free();
        return half(0x4002 | (dice_.bits() & 0x107c) | rd << 7);
      }
      default:  // c.swsp
        return half(0xc002 | (dice_.bits() & 0x1f80) | any() << 2);
    }
  }

  /// A few instructions, a few times.
  void add_loop() {
    const std::size_t first = starts_.size();
    word((1 + dice_.below(6)) << 20 | kCounter << 7 | 0x13);  // li
    const std::size_t begin = halves_.size();
    const std::uint32_t count = 1 + dice_.below(6);
    for (std::uint32_t i = 0; i < count; ++i) add_something(false);
    word(0xfff00013 | kCounter << 15 | kCounter << 7);  // addi -1
    const std::uint32_t back = branch_offset(static_cast<std::uint32_t>(begin - halves_.size()) * 2);
    word(back | kCounter << 15 | 1 << 12 | 0x63);  // bnez
    hide_all_but_first(first);
  }

  void add_jump() {
    using Kind = Jump::Kind;
    const auto jump = [&](Kind kind) { jumps_.push_back({halves_.size(), 1 + dice_.below(6), kind}); };
    switch (dice_.below(6)) {
      case 0:
      case 1:
        jump(Kind::branch);
        return word(any() << 20 | any() << 15 | dice_.one_of(std::array{0U, 1U, 4U, 5U, 6U, 7U}) << 12 | 0x63);
      case 2:
        jump(Kind::jal);
        return word(free() << 7 | 0x6f);
      case 3:
        jump(Kind::compressed_branch);
        return half(0xc001 | dice_.below(2) << 13 | any_short() << 7);
      case 4:
        jump(Kind::compressed_jump);
        return half(dice_.one_in(2) ? 0xa001 : 0x2001);
      default:
        return add_indirect_jump();
    }
  }

  /// auipc and a jump over nothing or two halfwords that are never executed.
  void add_indirect_jump() {
    const std::size_t first = starts_.size();
    std::uint32_t reg = free();
    while (reg == 0) reg = free();
    word(reg << 7 | 0x17);
    const bool over = dice_.one_in(2);
    switch (dice_.below(3)) {
      case 0:  // jalr; the lowest bit of the sum is ignored
        word(((over ? 12U : 8U) + dice_.below(2)) << 20 | reg << 15 | free() << 7 | 0x67);
        break;
      case 1:  // c.addi, c.jr
        half(0x0001 | reg << 7 | (over ? 12U : 8U) << 2);
        half(0x8002 | reg << 7);
        break;
      default:  // c.addi, c.jalr
        half(0x0001 | reg << 7 | (over ? 12U : 8U) << 2);
        half(0x9002 | reg << 7);
        break;
    }
    if (over) {
      half(0x0000);
      half(0x0000);
    }
    hide_all_but_first(first);
  }

  /// Lets a jump end at the beginning of an instruction, or behind the last one.
  void land(const Jump& jump) {
    const std::size_t reach = jump.kind == Jump::Kind::compressed_branch ? 127 : 1000;  // halfwords
    std::size_t target = halves_.size();
    std::uint32_t left = jump.instructions;
    for (const std::size_t start : starts_) {
      if (start <= jump.at) continue;
      if (target != halves_.size() && (left == 0 || start - jump.at > reach)) break;
      target = start;
      --left;
    }
    const auto offset = static_cast<std::uint32_t>(target - jump.at) * 2;
    std::uint32_t code = 0;
    switch (jump.kind) {
      case Jump::Kind::branch:
        code = branch_offset(offset);
        break;
      case Jump::Kind::jal:
        code = (offset >> 1 & 0x3ff) << 21;
        break;
      case Jump::Kind::compressed_branch:
        code = (offset >> 3 & 3) << 10 | (offset >> 6 & 3) << 5 | (offset >> 1 & 3) << 3 | (offset >> 5 & 1) << 2;
        break;
      case Jump::Kind::compressed_jump:
        code = (offset >> 4 & 1) << 11 | (offset >> 8 & 3) << 9 | (offset >> 6 & 1) << 7 | (offset >> 7 & 1) << 6 |
               (offset >> 1 & 7) << 3 | (offset >> 5 & 1) << 2;
        break;
    }
    halves_[jump.at] = static_cast<std::uint16_t>(halves_[jump.at] | code);
    if (code >> 16 != 0) halves_[jump.at + 1] = static_cast<std::uint16_t>(halves_[jump.at + 1] | code >> 16);
  }

  static std::uint32_t branch_offset(std::uint32_t offset) {
    return (offset >> 12 & 1) << 31 | (offset >> 5 & 0x3f) << 25 | (offset >> 1 & 0xf) << 8 | (offset >> 11 & 1) << 7;
  }

  Dice& dice_;
  std::vector<std::uint16_t> halves_;
  std::vector<std::size_t> starts_;  ///< of instructions, in halves_
  std::vector<Jump> jumps_;
};

}  // namespace

std::uint32_t first_value_of(unsigned number, Dice& dice) {
  switch (number) {
    case 0:
      return 0;
    case kSp:
      return kRiscvRam + kSpOffset;
    case kS0:
    case kPointer:
      return kRiscvRam + kS0Offset;
    case kS1:
      return kRiscvRam + kS1Offset;
    default:
      return dice.operand();
  }
}

RiscvProgram make_riscv_program(Dice& dice) { return Writer(dice).program(); }

}  // namespace ftlab::tests
