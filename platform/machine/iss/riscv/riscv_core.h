// A RISC-V core: RV32IMC with Zicsr and Zifencei, and A if wanted, in machine mode alone. Knows memory and a bus; no
// devices and no time, so that it counts a cycle for each instruction.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "platform/machine/iss/core.h"
#include "platform/machine/iss/memory.h"
#include "platform/machine/iss/memory_map.h"
#include "platform/machine/iss/riscv/code_cache.h"
#include "platform/machine/iss/riscv/csrs.h"

namespace ftlab::iss::riscv {

struct RiscvConfig {
  Identity identity{};
  std::uint32_t reset_pc = 0;
  /// A load or store that is not aligned is done where one memory region holds all of it; elsewhere it is an access
  /// fault. If not: a misaligned exception.
  bool misaligned_done = false;
  /// By Cause as a number: run() ends before the instruction instead of a trap.
  std::uint32_t reported = 0;

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
  /// Inside an access of the bus: run() executes so many instructions fewer, but completes the one that made it.
  void shorten_run(std::uint64_t instructions) {
    end_ = std::max(end_ - std::min(end_, instructions), executed_ + 1);
    attention_ = true;
  }
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

 private:
  struct Fault {
    Cause cause = Cause::illegal_instruction;
    std::uint32_t value = 0;  ///< for mtval
  };

  /// Executes until `stop` has a reason. nullptr: only answers the places of instructions.
  const void* const* execute(CoreStop* stop);
  /// An instruction ends in an exception, counted. Answers whether run() ends, with stop_.
  bool raise(const Fault& fault);
  /// Between instructions: whether run() ends here, with stop_; else an interrupt that is to be taken has been.
  bool attend();
  [[nodiscard]] Csrs::Counts counts(std::uint64_t later = 0) const {
    return {executed_ + later, executed_ - trapped_ + later};
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

  const RiscvConfig config_;
  MemoryMap memory_;
  Bus& bus_;
  CodeCache cache_;
  Csrs csrs_;
  std::array<std::uint32_t, kSink + 1> x_{};
  std::uint32_t pc_ = 0;
  std::uint64_t executed_ = 0;
  std::uint64_t trapped_ = 0;  ///< of these, instructions that ended in an exception and have not retired
  std::uint64_t end_ = 0;      ///< executed_ when the budget is used
  bool attention_ = false;     ///< the block is to be left after this instruction
  bool end_requested_ = false;
  bool waiting_ = false;                      ///< in WFI
  std::optional<std::uint32_t> step_over_;    ///< the first instruction of run(), where a breakpoint does not count
  std::optional<std::uint32_t> reservation_;  ///< of LR
  Fault fault_;
  CoreStop stop_;
};

}  // namespace ftlab::iss::riscv
