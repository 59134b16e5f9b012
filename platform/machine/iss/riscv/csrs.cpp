#include "platform/machine/iss/riscv/csrs.h"

namespace ftlab::iss::riscv {
namespace {

constexpr std::uint32_t kMieBit = 1U << 3, kMpieBit = 1U << 7, kMppBits = 3U << 11;  // of mstatus
constexpr std::uint32_t kInterruptBit = 1U << 31;                                    // of mcause
constexpr std::uint32_t kCyclesBit = 1, kRetiredBit = 4;                             // of mcountinhibit

constexpr std::uint32_t bit_of(Interrupt interrupt) { return 1U << static_cast<unsigned>(interrupt); }
constexpr std::uint32_t kInterrupts =
    bit_of(Interrupt::software) | bit_of(Interrupt::timer) | bit_of(Interrupt::external);

constexpr std::uint32_t letter(char extension) { return 1U << static_cast<unsigned>(extension - 'A'); }

/// mhpmcounter, their upper halves and mhpmevent, numbers 3 to 31: there are no such events.
constexpr bool counts_nothing(std::uint32_t number) {
  const std::uint32_t group = number & ~31U;
  return (group == csr::kMcycle || group == csr::kMcycleh || group == csr::kMcountinhibit) && (number & 31U) >= 3;
}

constexpr std::uint64_t with_low(std::uint64_t whole, std::uint32_t low) { return (whole & ~0xffffffffULL) | low; }
constexpr std::uint64_t with_high(std::uint64_t whole, std::uint32_t high) {
  return (whole & 0xffffffffULL) | std::uint64_t{high} << 32;
}

}  // namespace

std::uint32_t Csrs::mstatus() const { return kMppBits | (mie_bit_ ? kMieBit : 0) | (mpie_bit_ ? kMpieBit : 0); }

std::uint32_t Csrs::misa() const {
  constexpr std::uint32_t kWidth32 = 1U << 30;
  return kWidth32 | letter('I') | letter('M') | letter('C') | (identity_.atomics ? letter('A') : 0);
}

std::optional<std::uint32_t> Csrs::read(std::uint32_t number, const Counts& before) const {
  switch (number) {
    case csr::kMstatus:
      return mstatus();
    case csr::kMisa:
      return misa();
    case csr::kMie:
      return mie_;
    case csr::kMtvec:
      return mtvec_;
    case csr::kMcountinhibit:
      return (cycles_.stopped() ? kCyclesBit : 0) | (retired_.stopped() ? kRetiredBit : 0);
    case csr::kMscratch:
      return mscratch_;
    case csr::kMepc:
      return mepc_;
    case csr::kMcause:
      return mcause_;
    case csr::kMtval:
      return mtval_;
    case csr::kMip:
      return mip_;
    case csr::kMcycle:
      return static_cast<std::uint32_t>(cycles_.value(before.cycles));
    case csr::kMcycleh:
      return static_cast<std::uint32_t>(cycles_.value(before.cycles) >> 32);
    case csr::kMinstret:
      return static_cast<std::uint32_t>(retired_.value(before.retired));
    case csr::kMinstreth:
      return static_cast<std::uint32_t>(retired_.value(before.retired) >> 32);
    case csr::kMvendorid:
      return identity_.vendor;
    case csr::kMarchid:
      return identity_.architecture;
    case csr::kMimpid:
      return identity_.implementation;
    case csr::kMhartid:
      return identity_.hart;
    case csr::kMstatush:
    case csr::kMconfigptr:
      return 0;
    default:
      return counts_nothing(number) ? std::optional<std::uint32_t>(0) : std::nullopt;
  }
}

bool Csrs::write(std::uint32_t number, std::uint32_t value, const Counts& after) {
  switch (number) {
    case csr::kMstatus:
      mie_bit_ = (value & kMieBit) != 0;
      mpie_bit_ = (value & kMpieBit) != 0;
      return true;
    case csr::kMie:
      mie_ = value & kInterrupts;
      return true;
    case csr::kMtvec:
      mtvec_ = value & ~2U;
      return true;
    case csr::kMscratch:
      mscratch_ = value;
      return true;
    case csr::kMepc:
      mepc_ = value & ~1U;
      return true;
    case csr::kMcause:
      mcause_ = value;
      return true;
    case csr::kMtval:
      mtval_ = value;
      return true;
    case csr::kMisa:
    case csr::kMip:
    case csr::kMstatush:
      return true;  // every bit is read-only, the register is not
    default:
      return write_counter(number, value, after) || counts_nothing(number);
  }
}

bool Csrs::write_counter(std::uint32_t number, std::uint32_t value, const Counts& after) {
  const std::uint64_t cycles = cycles_.value(after.cycles);
  const std::uint64_t retired = retired_.value(after.retired);
  switch (number) {
    case csr::kMcountinhibit:
      cycles_.stop((value & kCyclesBit) != 0, after.cycles);
      retired_.stop((value & kRetiredBit) != 0, after.retired);
      return true;
    case csr::kMcycle:
      cycles_.set(with_low(cycles, value), after.cycles);
      return true;
    case csr::kMcycleh:
      cycles_.set(with_high(cycles, value), after.cycles);
      return true;
    case csr::kMinstret:
      retired_.set(with_low(retired, value), after.retired);
      return true;
    case csr::kMinstreth:
      retired_.set(with_high(retired, value), after.retired);
      return true;
    default:
      return false;
  }
}

void Csrs::set_line(Interrupt line, bool high) { mip_ = high ? mip_ | bit_of(line) : mip_ & ~bit_of(line); }

std::optional<Interrupt> Csrs::to_take() const {
  if (!mie_bit_) return std::nullopt;
  for (const Interrupt interrupt : {Interrupt::external, Interrupt::software, Interrupt::timer}) {
    if ((mip_ & mie_ & bit_of(interrupt)) != 0) return interrupt;
  }
  return std::nullopt;
}

std::uint32_t Csrs::enter(Interrupt interrupt, std::uint32_t pc) {
  const auto number = static_cast<std::uint32_t>(interrupt);
  const bool vectored = (mtvec_ & 1) != 0;
  return enter(kInterruptBit | number, pc, 0) + (vectored ? 4 * number : 0);
}

std::uint32_t Csrs::enter(std::uint32_t cause, std::uint32_t pc, std::uint32_t value) {
  ++entered_;
  mepc_ = pc;
  mcause_ = cause;
  mtval_ = value;
  mpie_bit_ = mie_bit_;
  mie_bit_ = false;
  return exception_vector();
}

std::uint32_t Csrs::leave() {
  mie_bit_ = mpie_bit_;
  mpie_bit_ = true;
  return mepc_;
}

}  // namespace ftlab::iss::riscv
