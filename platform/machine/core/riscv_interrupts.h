// The timer and the interrupt controller beside a RISC-V core (hw/regs/riscv_board_regs.h): their registers, and
// whether they interrupt. Knows cycles of the core; neither the core nor simulated time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "hw/regs/riscv_board_regs.h"

namespace ftlab::platform {

class RiscvInterrupts {
 public:
  static constexpr unsigned kLines = 3;

  /// As after power-on; the time begins at this cycle.
  void reset(std::uint64_t cycle);
  /// Whether one of them has this address.
  [[nodiscard]] static bool owns(std::uint32_t address) {
    return address - hw::riscv_board::kClint < hw::riscv_board::kClintBytes ||
           address - hw::riscv_board::kPlic < hw::riscv_board::kPlicBytes;
  }
  /// false: no register is there, or none that is read or written so.
  bool read(std::uint32_t address, unsigned size, std::uint64_t cycle, std::uint32_t& value);
  bool write(std::uint32_t address, unsigned size, std::uint32_t value);
  /// A rising edge; `line` is below kLines.
  void raise(unsigned line);

  /// From this cycle on the timer interrupts; CoreClock::kNeverCycle.
  [[nodiscard]] std::uint64_t timer_cycle() const;
  [[nodiscard]] bool line_interrupts() const;
  /// A line that has been claimed and not completed.
  [[nodiscard]] std::optional<unsigned> claimed() const;

  /// Whether a register there reads the same until somebody writes, claims or interrupts.
  [[nodiscard]] static bool reads_steadily(std::uint32_t address) {
    return address - hw::riscv_board::kMtime >= sizeof(std::uint64_t);
  }
  friend bool operator==(const RiscvInterrupts&, const RiscvInterrupts&) = default;

 private:
  /// One that is pending and enabled, of the highest priority; 0: none.
  [[nodiscard]] unsigned next_source() const;
  std::uint32_t claim();
  void complete(std::uint32_t source);

  std::uint64_t begun_ = 0;
  std::uint64_t compare_ = ~std::uint64_t{0};
  // A bit, or an element, for each source; the first one is none.
  std::array<std::uint32_t, hw::riscv_board::kFirstSource + kLines> priority_{};
  std::uint32_t pending_ = 0;
  std::uint32_t enabled_ = 0;
  std::uint32_t served_ = 0;  ///< claimed, and not yet complete
  std::uint32_t again_ = 0;   ///< an edge came while it was served
  std::uint32_t threshold_ = 0;
};

}  // namespace ftlab::platform
