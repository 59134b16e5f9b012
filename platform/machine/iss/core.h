// What cores of all instruction sets have in common, as the processor around them uses it. Knows neither an instruction
// set nor time: how long an instruction takes is for others to say.
#pragma once

#include <cstdint>

#include "platform/machine/iss/core_stop.h"

namespace ftlab::iss {

class Core {
 public:
  virtual ~Core() = default;

  /// Executes at most `budget` instructions, and not one more. One that ends in an exception counts as well, so that a
  /// program which does nothing else comes to the end of its budget. Being called again, it continues.
  virtual CoreStop run(std::uint64_t budget) = 0;
  /// Inside an access of the bus: run() returns once the instruction that made it is complete.
  virtual void end_run() = 0;
  /// Counted by run() since reset; inside an access of the bus without the instruction that makes it.
  [[nodiscard]] virtual std::uint64_t instructions() const = 0;

  /// How many exceptions and interrupts have been taken; begins anew when the core is reset.
  [[nodiscard]] virtual std::uint64_t exceptions() const = 0;

  /// Lines of flash that were not there when they were wanted.
  [[nodiscard]] virtual std::uint64_t flash_misses() const = 0;

  [[nodiscard]] virtual std::uint32_t pc() const = 0;
  virtual void set_pc(std::uint32_t pc) = 0;
  /// By the number that the instruction set gives it. Between two calls of run() only.
  [[nodiscard]] virtual std::uint32_t reg(unsigned number) const = 0;
  virtual void set_reg(unsigned number, std::uint32_t value) = 0;

  /// Somebody else has changed these bytes of a memory region: a loader, a debugger, DMA.
  virtual void code_changed(std::uint32_t address, std::uint32_t size) = 0;
  /// From now on loads and stores of the piece of memory around the address (MemoryMap::kPieceBytes) are accesses of
  /// the bus, which sees them and does what they ask; or no longer. Code there is fetched as ever.
  virtual void leave_to_bus(std::uint32_t address, bool leave) = 0;
  /// Breakpoints of the debugger: run() ends before the instruction, unless it is the first one that run() executes.
  virtual void set_breakpoint(std::uint32_t address) = 0;
  virtual void clear_breakpoint(std::uint32_t address) = 0;

  // Loops that wait, for whoever knows what else could end the wait. Between two calls of run(), and without
  // breakpoints and memory that is left to the bus.
  /// run() ends by StopReason::repeats behind a branch backward that has come several times in a row with the same
  /// registers; or no longer.
  virtual void look_for_waits(bool look) = 0;
  /// That branch closes no loop that waits: run() does not end there any more.
  virtual void dismiss_wait() = 0;
  /// From now on it is seen whether the state of the core and of memory comes to be again what it is now.
  virtual void begin_iteration() = 0;
  /// It has, and what is executed next does the same once more, unless something outside the core changes: nothing has
  /// been read that changes by itself, and no exception has come.
  [[nodiscard]] virtual bool comes_round() const = 0;
  virtual void end_iteration() = 0;
  /// So much is taken as executed.
  virtual void count_repeated(std::uint64_t cycles, std::uint64_t instructions) = 0;
};

}  // namespace ftlab::iss
