// An ARMv7-M core without floating point: Cortex-M3, or Cortex-M4 with the DSP extension, with interrupt controller,
// timer and system control block, without MPU. Knows neither the machine around it nor real time: it counts the cycles
// of instructions and those that stall() and sleep() add.
#pragma once

#include <cstdint>
#include <vector>

#include "common/core_timing.h"
#include "platform/machine/iss/arm/exceptions.h"
#include "platform/machine/iss/arm/executor.h"
#include "platform/machine/iss/core.h"

namespace ftlab::iss::arm {

enum class Model : std::uint8_t { cortex_m3, cortex_m4 };

struct CortexMConfig {
  Model model = Model::cortex_m4;
  unsigned interrupts = 32;    ///< lines; 0 to 240
  unsigned priority_bits = 3;  ///< 3 to 8
  std::uint32_t vector_table = 0;
  /// BKPT ends run() at the instruction, as with a debugger: 0xAB as an environment call. Otherwise it is a HardFault.
  bool stop_at_bkpt = false;
  /// A fault that would become a HardFault, or lock the core up, ends run() at the instruction, with registers as they
  /// were.
  bool stop_at_hard_fault = false;
  CoreTiming timing{};
};

class CortexM final : public Core, private SystemSpace {
 public:
  CortexM(const CortexMConfig& config, const std::vector<MemoryRegion>& regions, Bus& bus);

  /// Needed before the first run(): SP and PC are read from memory.
  void reset();

  CoreStop run(std::uint64_t budget) override;
  void end_run() override;
  [[nodiscard]] std::uint64_t instructions() const override;
  [[nodiscard]] std::uint64_t exceptions() const override { return exceptions_.begun(); }
  [[nodiscard]] std::uint32_t pc() const override { return context_.g.pc; }
  void set_pc(std::uint32_t pc) override;
  /// As the debug core register selector counts: 0 to 15, 16 xPSR, 17 main and 18 process stack, 20 CONTROL, FAULTMASK,
  /// BASEPRI and PRIMASK from the uppermost byte on.
  [[nodiscard]] std::uint32_t reg(unsigned number) const override;
  void set_reg(unsigned number, std::uint32_t value) override;
  void code_changed(std::uint32_t address, std::uint32_t size) override;
  void leave_to_bus(std::uint32_t address, bool leave) override { context_.memory.leave_to_bus(address, leave); }
  void set_breakpoint(std::uint32_t address) override;
  void clear_breakpoint(std::uint32_t address) override;
  void look_for_waits(bool look) override;
  void dismiss_wait() override { context_.loops.dismiss(); }
  void begin_iteration() override;
  [[nodiscard]] bool comes_round() const override;
  void end_iteration() override;
  void count_repeated(std::uint64_t cycles, std::uint64_t instructions) override {
    cycles_ += cycles;
    instructions_ += instructions;
  }

  /// An interrupt line; its rising edge makes the interrupt pending, and so does the end of its handler while it is
  /// high.
  void set_interrupt(unsigned line, bool high);
  void pend_nmi();
  /// What another core's SEV would do.
  void send_event();

  /// Cycles since reset; inside an access of the bus without those of the instruction that makes it.
  [[nodiscard]] std::uint64_t cycles() const;
  /// Inside an access of the bus: it takes so many cycles more.
  void stall(std::uint64_t cycles);
  /// While the core waits for an interrupt.
  void sleep(std::uint64_t cycles) { cycles_ += cycles; }
  /// run() ends in front of the first instruction that would begin at this cycle of its clock or later. Inside an
  /// access of the bus it counts once end_run() has been called. At first it is never reached.
  void end_at(std::uint64_t cycle) { end_cycle_ = cycle; }
  [[nodiscard]] std::uint64_t flash_misses() const override { return context_.flash.misses(); }
  /// Until the timer reaches zero; SysTick::kNever while it does not.
  [[nodiscard]] std::uint64_t cycles_to_timer() const;

  /// The latest fault, for whoever reports it; Fault::exception is zero when there was none.
  [[nodiscard]] const Fault& last_fault() const { return last_fault_; }
  /// A register of the system space as a debugger reads it, without effect. False: there is none.
  bool look(std::uint32_t address, unsigned size, std::uint32_t& value) const;

 private:
  enum class Sleep : std::uint8_t { awake, for_interrupt, for_event };

  bool read_system(std::uint32_t address, unsigned size, std::uint32_t& value, bool privileged) override;
  bool write_system(std::uint32_t address, unsigned size, std::uint32_t value, bool privileged) override;

  [[nodiscard]] bool still_asleep();
  /// The instruction at which a run ends has not been executed.
  void take_back(std::int64_t cycles);
  /// An instruction that cannot be fetched counts all the same.
  void count_unfetched();
  /// Until the timer is due, and no more instructions than the budget; false: stop_ says why run() ends.
  bool run_slice(std::uint64_t budget);
  Left execute_from_pc();
  void begin_exception();
  bool go_on_from(Left left);
  bool fault_stops(const Fault& fault);
  bool do_system(const Op& op);
  std::uint32_t read_special(unsigned number) const;
  void write_special(unsigned number, unsigned mask, std::uint32_t value);
  void change_masks(std::uint32_t bits);
  bool stop(StopReason reason, std::uint32_t address = 0);

  CortexMConfig config_;
  Context context_;
  Nvic nvic_;
  SystemControl control_;
  Exceptions exceptions_;
  Sleep sleep_ = Sleep::awake;
  bool end_requested_ = false;
  CoreStop stop_;
  Fault last_fault_;

  /// When an iteration began.
  struct Begun {
    Registers registers;
    std::uint64_t exceptions = 0;
    std::uint64_t flash_misses = 0;
    bool event = false;  ///< of WFE
    friend bool operator==(const Begun&, const Begun&) = default;
  } begun_;
  bool unrepeatable_ = false;  ///< since then the system space has been written, or has shown what changes by itself

  std::uint64_t instructions_ = 0;  // without those of the slice that is being executed
  std::uint64_t cycles_ = 0;
  std::uint64_t end_cycle_ = SysTick::kNever;
  std::int64_t slice_ = 0;      // cycles that the slice began with
  std::uint32_t run_from_ = 0;  // where run() has begun, until it has executed something
  bool nothing_executed_ = false;
};

}  // namespace ftlab::iss::arm
