// Registers of the System Control Space: timer, interrupt controller, system control block. Knows their addresses and
// bits; what they mean for execution is read by others. There is no MPU, and of the identification registers only
// CPUID.
#pragma once

#include <cstdint>

#include "platform/machine/iss/arm/nvic.h"
#include "platform/machine/iss/arm/systick.h"

namespace ftlab::iss::arm {

/// Bits of CCR.
constexpr std::uint32_t kNonBaseThread = 1U << 0, kUserSetPending = 1U << 1, kUnalignedTrap = 1U << 3,
                        kZeroDivideTrap = 1U << 4, kBusFaultIgnored = 1U << 8, kStackAlign = 1U << 9;
/// Bits of HFSR.
constexpr std::uint32_t kVectorTable = 1U << 1, kForced = 1U << 30, kDebugEvent = 1U << 31;
/// Bits of SCR.
constexpr std::uint32_t kSleepOnExit = 1U << 1, kEventOnPending = 1U << 4;

class SystemControl {
 public:
  SystemControl(Nvic& nvic, const Registers& g, std::uint32_t cpuid, std::uint32_t vector_table);

  void reset();
  /// false: no such register, or not in this size. `now` in cycles.
  bool read(std::uint32_t address, unsigned size, std::uint32_t& value, std::uint64_t now);
  bool write(std::uint32_t address, unsigned size, std::uint32_t value, std::uint64_t now);
  /// Reading there changes nothing, and gives the same until the timer is at zero or somebody writes.
  [[nodiscard]] bool reads_steadily(std::uint32_t address) const;

  SysTick systick;
  std::uint32_t vector_table;
  std::uint32_t system_control = 0;
  std::uint32_t configuration = kStackAlign;
  std::uint32_t fault_status = 0;       // CFSR
  std::uint32_t hard_fault_status = 0;  // HFSR
  std::uint32_t debug_status = 0;       // DFSR
  std::uint32_t memory_fault_address = 0;
  std::uint32_t bus_fault_address = 0;
  bool reset_requested = false;

 private:
  bool read_word(std::uint32_t offset, std::uint32_t& value, std::uint64_t now);
  bool write_word(std::uint32_t offset, std::uint32_t value, std::uint64_t now);
  bool read_interrupts(std::uint32_t offset, std::uint32_t& value) const;
  bool write_interrupts(std::uint32_t offset, std::uint32_t value);
  [[nodiscard]] std::uint32_t interrupt_control() const;
  void write_interrupt_control(std::uint32_t value);
  [[nodiscard]] std::uint32_t handler_control() const;
  void write_handler_control(std::uint32_t value);
  /// The exception whose priority lies at this byte; 0: none.
  [[nodiscard]] unsigned priority_at(std::uint32_t offset) const;

  Nvic& nvic_;
  const Registers& g_;
  std::uint32_t cpuid_;
  std::uint32_t first_vector_table_;
};

}  // namespace ftlab::iss::arm
