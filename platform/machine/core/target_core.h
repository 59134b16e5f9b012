// A core as the processor around it uses it: a clock of cycles, lines, and words about what has happened. Knows no
// simulated time, no device and no firmware; each instruction set implements it once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/core_timing.h"
#include "platform/machine/iss/core.h"
#include "platform/machine/iss/core_stop.h"
#include "platform/machine/iss/elf_image.h"
#include "platform/machine/iss/memory.h"

namespace ftlab::platform {

class TargetCore {
 public:
  virtual ~TargetCore() = default;

  /// Needed before the first run. Cycles go on.
  virtual void reset() = 0;
  /// Executes what begins before that cycle, and no more than so many instructions.
  virtual iss::CoreStop run_until(std::uint64_t cycle, std::uint64_t most) = 0;
  /// Inside an access of the bus: run_until() returns behind the instruction that makes it.
  virtual void end_run() = 0;
  /// The same: that instruction takes so many cycles more.
  virtual void stall(std::uint64_t cycles) = 0;
  /// After it has stopped to wait for an interrupt.
  virtual void sleep_until(std::uint64_t cycle) = 0;
  /// Since the first reset; inside an access without those of the instruction that makes it.
  [[nodiscard]] virtual std::uint64_t cycles() const = 0;
  /// The cycle at which the core's own timer interrupts; CoreClock::kNeverCycle.
  [[nodiscard]] virtual std::uint64_t next_timer() const = 0;
  /// A rising edge of an interrupt line.
  virtual void pulse(unsigned interrupt) = 0;

  [[nodiscard]] virtual std::uint64_t instructions() const = 0;
  [[nodiscard]] virtual std::uint32_t pc() const = 0;
  [[nodiscard]] virtual std::uint32_t stack_pointer() const = 0;
  /// Where a call puts it, without what the address of an instruction does not have.
  [[nodiscard]] virtual std::uint32_t return_address() const = 0;
  /// By name, with their values.
  [[nodiscard]] virtual std::string registers() const = 0;
  /// Why it has stopped at an instruction, in a sentence without a full stop.
  [[nodiscard]] virtual std::string why(const iss::CoreStop& stop) const = 0;

  /// What an interrupt may have to do with standing still, in a sentence without a full stop; empty: nothing.
  [[nodiscard]] virtual std::string about_interrupts() const = 0;

  /// Calls a function that returns, on a stack below `stack_top`, with up to four arguments. For a core that nothing
  /// else runs on; without an answer when the function does not come to its end.
  struct Answer {
    bool returned = false;
    std::uint32_t value = 0;
  };
  /// `returns_to`: an address of an executable region of 4 bytes that is this core's own.
  Answer call(std::uint32_t function, const std::vector<std::uint32_t>& arguments, std::uint32_t stack_top,
              std::uint32_t returns_to);
  /// For a debugger: breakpoints, and what others have written.
  [[nodiscard]] virtual iss::Core& iss_core() = 0;
  [[nodiscard]] virtual const iss::Core& iss_core() const = 0;
  // As iss::Core has them, with what belongs to the core beside it.
  virtual void begin_iteration() { iss_core().begin_iteration(); }
  [[nodiscard]] virtual bool comes_round() const { return iss_core().comes_round(); }
  void end_iteration() { iss_core().end_iteration(); }
  /// A register at an address of the core's own, without effect. False: there is none.
  virtual bool look(std::uint32_t address, unsigned size, std::uint32_t& value) const = 0;
  /// GDB's description of the target, with so many registers in this order. Between two runs.
  [[nodiscard]] virtual std::string_view gdb_description() const = 0;
  [[nodiscard]] virtual std::size_t gdb_registers() const = 0;
  [[nodiscard]] virtual std::uint32_t gdb_register(std::size_t at) const = 0;
  virtual void set_gdb_register(std::size_t at, std::uint32_t value) = 0;

  /// The bytes that belong at `returns_to`.
  [[nodiscard]] virtual std::uint32_t return_code() const = 0;

 protected:
  /// Where a function finds what it is called with, by numbers of iss::Core.
  struct CallRegisters {
    unsigned stack_pointer;
    unsigned return_address;
    unsigned first_argument;         ///< its result as well
    std::uint32_t instruction_mark;  ///< bits of an address of code that its place does not have
  };
  [[nodiscard]] virtual CallRegisters call_registers() const = 0;
};

std::unique_ptr<TargetCore> make_arm_core(const std::vector<iss::MemoryRegion>& regions, const CoreTiming& timing,
                                          iss::Bus& bus);
std::unique_ptr<TargetCore> make_riscv_core(const std::vector<iss::MemoryRegion>& regions, const CoreTiming& timing,
                                            iss::Bus& bus);

/// The one of that instruction set.
std::unique_ptr<TargetCore> make_core(iss::ElfMachine machine, const std::vector<iss::MemoryRegion>& regions,
                                      const CoreTiming& timing, iss::Bus& bus);

}  // namespace ftlab::platform
