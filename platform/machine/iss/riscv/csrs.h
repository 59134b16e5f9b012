// Control and status registers of machine mode, and what traps and MRET do to them: "The RISC-V Instruction Set
// Manual", volume II, version 1.12. Knows no instructions; who executes them counts them.
#pragma once

#include <cstdint>
#include <optional>

namespace ftlab::iss::riscv {

namespace csr {
constexpr std::uint32_t kMstatus = 0x300, kMisa = 0x301, kMie = 0x304, kMtvec = 0x305, kMstatush = 0x310;
constexpr std::uint32_t kMcountinhibit = 0x320, kMscratch = 0x340, kMepc = 0x341, kMcause = 0x342, kMtval = 0x343;
constexpr std::uint32_t kMip = 0x344, kMcycle = 0xb00, kMinstret = 0xb02, kMcycleh = 0xb80, kMinstreth = 0xb82;
constexpr std::uint32_t kMvendorid = 0xf11, kMarchid = 0xf12, kMimpid = 0xf13, kMhartid = 0xf14, kMconfigptr = 0xf15;
}  // namespace csr

/// Values of mcause; those of interrupts have the highest bit as well.
enum class Cause : std::uint32_t {
  fetch_fault = 1,
  illegal_instruction = 2,
  breakpoint = 3,
  load_misaligned = 4,
  load_fault = 5,
  store_misaligned = 6,
  store_fault = 7,
  environment_call = 11,
};

/// Lines from outside; the values are bits of mip and mie, and causes.
enum class Interrupt : std::uint8_t { software = 3, timer = 7, external = 11 };

/// What the core is; read-only.
struct Identity {
  std::uint32_t vendor = 0;
  std::uint32_t architecture = 0;
  std::uint32_t implementation = 0;
  std::uint32_t hart = 0;
  bool atomics = true;  ///< extension A
  friend bool operator==(const Identity&, const Identity&) = default;
};

/// 64 bits that follow a count kept elsewhere, unless they are stopped.
class Counter {
 public:
  friend bool operator==(const Counter&, const Counter&) = default;
  [[nodiscard]] std::uint64_t value(std::uint64_t count) const { return stopped_ ? base_ : base_ + count; }
  void set(std::uint64_t value, std::uint64_t count) { base_ = stopped_ ? value : value - count; }
  void stop(bool stopped, std::uint64_t count) {
    const std::uint64_t now = value(count);
    stopped_ = stopped;
    set(now, count);
  }
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  std::uint64_t base_ = 0;
  bool stopped_ = false;
};

class Csrs {
 public:
  /// What the counters follow.
  struct Counts {
    std::uint64_t cycles;
    std::uint64_t retired;
  };

  explicit Csrs(const Identity& identity) : identity_(identity) {}

  /// nullopt: there is no such register.
  [[nodiscard]] std::optional<std::uint32_t> read(std::uint32_t number, const Counts& before) const;
  /// `after`: a write takes effect when its instruction has been counted. false: there is none, or it is read-only.
  bool write(std::uint32_t number, std::uint32_t value, const Counts& after);

  void set_line(Interrupt line, bool high);
  /// One is pending and enabled by itself: it ends WFI, whatever mstatus says.
  [[nodiscard]] bool wakes() const { return (mip_ & mie_) != 0; }
  /// The interrupt to take now.
  [[nodiscard]] std::optional<Interrupt> to_take() const;

  /// Enter a trap at `pc`, and answer where its handler begins.
  std::uint32_t enter(Cause cause, std::uint32_t pc, std::uint32_t value) {
    return enter(static_cast<std::uint32_t>(cause), pc, value);
  }
  std::uint32_t enter(Interrupt interrupt, std::uint32_t pc);
  /// Where the handlers of exceptions begin.
  [[nodiscard]] std::uint32_t exception_vector() const { return mtvec_ & ~3U; }
  /// Traps entered.
  [[nodiscard]] std::uint64_t entered() const { return entered_; }
  /// MRET: answers where to go on.
  std::uint32_t leave();

  /// Reads the same until somebody writes or interrupts.
  [[nodiscard]] static bool reads_steadily(std::uint32_t number) {
    return number != csr::kMcycle && number != csr::kMcycleh && number != csr::kMinstret && number != csr::kMinstreth;
  }
  friend bool operator==(const Csrs&, const Csrs&) = default;

 private:
  std::uint32_t enter(std::uint32_t cause, std::uint32_t pc, std::uint32_t value);
  [[nodiscard]] std::uint32_t mstatus() const;
  [[nodiscard]] std::uint32_t misa() const;
  bool write_counter(std::uint32_t number, std::uint32_t value, const Counts& after);

  Identity identity_;
  bool mie_bit_ = false;   ///< mstatus.MIE
  bool mpie_bit_ = false;  ///< mstatus.MPIE
  std::uint32_t mie_ = 0;
  std::uint32_t mip_ = 0;
  std::uint32_t mtvec_ = 0;
  std::uint32_t mscratch_ = 0;
  std::uint32_t mepc_ = 0;
  std::uint32_t mcause_ = 0;
  std::uint32_t mtval_ = 0;
  std::uint64_t entered_ = 0;
  Counter cycles_;
  Counter retired_;
};

}  // namespace ftlab::iss::riscv
