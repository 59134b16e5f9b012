// A RISC-V core: RV32IMC with Zicsr and Zifencei, and A if wanted, in machine mode alone. Knows memory and a bus, no
// devices and no frequency: it counts the cycles of instructions and those that stall() and sleep() add.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "common/core_timing.h"
#include "platform/machine/iss/core.h"
#include "platform/machine/iss/flash_cache.h"
#include "platform/machine/iss/loop_finder.h"
#include "platform/machine/iss/memory.h"
#include "platform/machine/iss/memory_map.h"
#include "platform/machine/iss/riscv/code_cache.h"
#include "platform/machine/iss/riscv/csrs.h"
#include "platform/machine/iss/store_log.h"

namespace ftlab::iss::riscv {

struct RiscvConfig {
  Identity identity{};
  std::uint32_t reset_pc = 0;
  /// A load or store that is not aligned is done where one memory region holds all of it; elsewhere it is an access
  /// fault. If not: a misaligned exception.
  bool misaligned_done = false;
  /// By Cause as a number: run() ends before the instruction instead of a trap.
  std::uint32_t reported = 0;
  CoreTiming timing{};

  static constexpr std::uint32_t bit(Cause cause) { return 1U << static_cast<unsigned>(cause); }
};

class RiscvCore final : public Core {
 public:
  RiscvCore(const RiscvConfig& config, const std::vector<MemoryRegion>& regions, Bus& bus);

  /// As after power-on, with all registers zero. Breakpoints and lines stay as they are outside.
  void reset();
  void set_line(Interrupt line, bool high);

  CoreStop run(std::uint64_t budget) override;
  void end_run() override { attention_ = end_requested_ = true; }

  static constexpr std::uint64_t kNeverCycle = std::numeric_limits<std::uint64_t>::max();
  /// Since reset; inside an access of the bus without those of the instruction that makes it.
  [[nodiscard]] std::uint64_t cycles() const { return slice_end_ - static_cast<std::uint64_t>(left_); }
  /// Inside an access of the bus: it takes so many cycles more.
  void stall(std::uint64_t cycles) { left_ -= static_cast<std::int64_t>(cycles); }
  /// While the core waits for an interrupt.
  void sleep(std::uint64_t cycles) { stall(cycles); }
  /// run() ends in front of the first instruction that would begin at this cycle or later. Inside an access of the bus
  /// it counts once end_run() has been called. At first it is never reached.
  void end_at(std::uint64_t cycle) { end_cycle_ = cycle; }
  [[nodiscard]] std::uint64_t flash_misses() const override { return flash_.misses(); }

  [[nodiscard]] std::uint64_t instructions() const override { return executed_; }
  [[nodiscard]] std::uint64_t exceptions() const override { return csrs_.entered(); }

  [[nodiscard]] std::uint32_t pc() const override { return pc_; }
  void set_pc(std::uint32_t pc) override {
    pc_ = pc & ~1U;
    waiting_ = false;
  }
  /// Numbers as gdb has them: x0 to x31, 32 is the pc, CSRs begin at 65. One that does not exist is 0.
  [[nodiscard]] std::uint32_t reg(unsigned number) const override;
  void set_reg(unsigned number, std::uint32_t value) override;

  void code_changed(std::uint32_t address, std::uint32_t size) override;
  void leave_to_bus(std::uint32_t address, bool leave) override { memory_.leave_to_bus(address, leave); }
  void set_breakpoint(std::uint32_t address) override { change_breakpoint(address, true); }
  void clear_breakpoint(std::uint32_t address) override { change_breakpoint(address, false); }
  void look_for_waits(bool look) override;
  void dismiss_wait() override { loops_.dismiss(); }
  void begin_iteration() override;
  [[nodiscard]] bool comes_round() const override;
  void end_iteration() override;
  void count_repeated(std::uint64_t cycles, std::uint64_t instructions) override {
    stall(cycles);
    executed_ += instructions;
  }

 private:
  struct Fault {
    Cause cause = Cause::illegal_instruction;
    std::uint32_t value = 0;  ///< for mtval
  };

  /// Of a block that may not fit into the time that is left, or whose first line may not be there, what is to be
  /// executed; nullptr: nothing, as its first instruction begins too late. left_ is what is left.
  Block* prepare(Block* block);
  /// pc_, executed_ and left_ become what they are before the step; `left` and `executed` count all of the block.
  void synchronise(const Block& block, const Step& step, std::int64_t left, std::uint64_t executed);
  /// The other way round; less than none: an instruction of the block would begin too late.
  [[nodiscard]] std::int64_t left_behind(const Block& block, const Step& step) const {
    return left_ - (block.cycles - block.before[&step - block.steps].cycles);
  }
  /// Executes until `stop` has a reason. nullptr: only answers the places of instructions.
  const void* const* execute(CoreStop* stop);
  /// An instruction ends in an exception, counted. Answers whether run() ends, with stop_.
  bool raise(const Fault& fault);
  /// Between instructions: whether run() ends here, with stop_; else an interrupt that is to be taken has been.
  bool attend();
  [[nodiscard]] Csrs::Counts counts(std::uint64_t later = 0) const {
    return {cycles() + later * config_.timing.special, executed_ - trapped_ + later};
  }

  // Parts of instructions off the fast path. false: fault_ says why.
  bool load(std::uint32_t address, unsigned size, std::uint32_t& value);
  bool store(std::uint32_t address, unsigned size, std::uint32_t value);
  /// The 32 bits of an instruction.
  [[nodiscard]] std::uint32_t code_at(std::uint32_t pc) const;
  bool access_csr(Op op, const Step& step);
  bool atomic(Op op, const Step& step);
  /// Instructions that were decoded have been overwritten.
  void overwritten();
  void change_breakpoint(std::uint32_t address, bool set) {
    cache_.set_breakpoint(address, set);
    attention_ = true;
  }

  using Registers = std::array<std::uint32_t, kSink + 1>;
  /// When an iteration began. Traps that were entered are among what CSRs hold.
  struct Begun {
    std::uint32_t pc = 0;
    Registers x{};
    Csrs csrs;
    std::optional<std::uint32_t> reservation;
    std::uint64_t flash_misses = 0;
    friend bool operator==(const Begun&, const Begun&) = default;
  };
  [[nodiscard]] Begun begun_now() const { return {pc_, x_, csrs_, reservation_, flash_misses()}; }
  /// Of a branch at the end of a block to pc_: whether `link` is to remember where it leads.
  bool links(Block& block);

  const RiscvConfig config_;
  MemoryMap memory_;
  Bus& bus_;
  FlashCache flash_;
  CodeCache cache_;
  Csrs csrs_;
  Registers x_{};
  std::uint32_t pc_ = 0;
  std::uint64_t executed_ = 0;
  std::uint64_t trapped_ = 0;  ///< of these, instructions that ended in an exception and have not retired
  std::uint64_t end_ = 0;      ///< executed_ when the budget is used
  std::uint64_t end_cycle_ = kNeverCycle;
  std::uint64_t slice_end_ = 0;  ///< in cycles; without a look at interrupts code is executed until then
  std::int64_t left_ = 0;        ///< cycles until then; less than none behind an instruction that takes longer
  bool attention_ = false;       ///< the block is to be left after this instruction
  bool end_requested_ = false;
  bool waiting_ = false;                      ///< in WFI
  std::optional<std::uint32_t> step_over_;    ///< the first instruction of run(), where a breakpoint does not count
  std::optional<std::uint32_t> reservation_;  ///< of LR
  Fault fault_;
  CoreStop stop_;
  LoopFinder<Registers> loops_;
  StoreLog stores_;
  std::optional<Begun> begun_;
  bool unrepeatable_ = false;  ///< since then a counter has been read
  bool repeats_ = false;       ///< LoopFinder says so
};

}  // namespace ftlab::iss::riscv
