// Registers and flags of an ARMv7-M core. Knows no instruction and no exception.
#pragma once

#include <array>
#include <cstdint>

namespace ftlab::iss::arm {

constexpr unsigned kSp = 13;
constexpr unsigned kLr = 14;
constexpr unsigned kPc = 15;
/// What an instruction would write to the PC, until the step that jumps.
constexpr unsigned kScratch = 16;
/// The PC as an operand.
constexpr unsigned kPcOperand = 17;

/// Bits of xPSR.
constexpr std::uint32_t kPsrT = 1U << 24;
constexpr std::uint32_t kPsrQ = 1U << 27;

struct Registers {
  /// R0 to R14, SP being the one in use; [15] stays unused.
  std::array<std::uint32_t, 18> r{};
  std::uint32_t n = 0;  ///< N is the sign of this word
  std::uint32_t z = 1;  ///< Z is set when this word is zero
  std::uint32_t c = 0;
  std::uint32_t v = 0;
  std::uint32_t q = 0;
  std::uint32_t ge = 0;  ///< four bits

  std::uint32_t pc = 0;  ///< of the next instruction, between two blocks
  std::uint8_t it = 0;   ///< ITSTATE before it
  bool thumb = true;     ///< EPSR.T
  bool exclusive = false;

  std::uint32_t ipsr = 0;
  std::array<std::uint32_t, 2> banked_sp{};  ///< main, process; the one in use is in r
  bool process_stack = false;                ///< CONTROL.SPSEL
  bool unprivileged_thread = false;          ///< CONTROL.nPRIV
  bool primask = false;
  bool faultmask = false;
  std::uint8_t basepri = 0;

  friend bool operator==(const Registers&, const Registers&) = default;

  [[nodiscard]] bool handler_mode() const { return ipsr != 0; }
  [[nodiscard]] bool privileged() const { return handler_mode() || !unprivileged_thread; }

  [[nodiscard]] std::uint32_t apsr() const {
    return (n & 0x80000000U) | (z == 0 ? 1U << 30 : 0) | c << 29 | v << 28 | q << 27 | ge << 16;
  }
  /// N, Z, C, V and Q.
  void set_nzcvq(std::uint32_t value) {
    n = value;
    z = (value & 1U << 30) == 0 ? 1 : 0;
    c = value >> 29 & 1;
    v = value >> 28 & 1;
    q = value >> 27 & 1;
  }
  [[nodiscard]] std::uint32_t xpsr() const {
    return apsr() | ipsr | (thumb ? kPsrT : 0) | (it & 3U) << 25 | (it >> 2 & 0x3FU) << 10;
  }
  void set_it(std::uint32_t xpsr) { it = static_cast<std::uint8_t>((xpsr >> 25 & 3) | (xpsr >> 10 & 0x3F) << 2); }

  [[nodiscard]] std::uint32_t sp(bool process) const { return process == process_stack ? r[kSp] : banked_sp[process]; }
  void set_sp(bool process, std::uint32_t value) {
    (process == process_stack ? r[kSp] : banked_sp[process]) = value & ~3U;
  }
  void use_stack(bool process) {
    banked_sp[process_stack] = r[kSp];
    process_stack = process;
    r[kSp] = banked_sp[process];
  }

  /// Of the sixteen conditions; 14 and 15 hold always.
  [[nodiscard]] bool holds(unsigned condition) const {
    const bool negative = n >> 31 != 0;
    bool holds = true;
    switch (condition >> 1) {
      case 0:
        holds = z == 0;
        break;
      case 1:
        holds = c != 0;
        break;
      case 2:
        holds = negative;
        break;
      case 3:
        holds = v != 0;
        break;
      case 4:
        holds = c != 0 && z != 0;
        break;
      case 5:
        holds = negative == (v != 0);
        break;
      case 6:
        holds = z != 0 && negative == (v != 0);
        break;
      default:
        return true;
    }
    return holds != ((condition & 1) != 0);
  }
};

}  // namespace ftlab::iss::arm
