// Instructions decoded once: straight pieces of code, each up to the instruction that may lead elsewhere. Knows where
// each instruction is executed by the place that the core has given for it, and none of their effects.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "common/core_timing.h"
#include "platform/machine/iss/flash_cache.h"
#include "platform/machine/iss/memory_map.h"
#include "platform/machine/iss/riscv/instruction.h"

namespace ftlab::iss::riscv {

/// Numbers of places to jump to beyond those of instructions.
enum Place : unsigned {
  kEndPlace = static_cast<unsigned>(Op::illegal) + 1,  ///< a block goes on with the one behind it
  kBreakpointPlace,
  kLinePlace,  ///< the next instruction reaches into another line of flash than the one before it
  kPlaces
};

/// One instruction, ready to be executed, or a line of flash that has to be there for the next ones.
struct Step {
  const void* place = nullptr;
  std::uint32_t imm = 0;  ///< of AUIPC the result, of JAL and branches the target, of a line its number
  std::uint8_t rd = 0;    ///< kSink instead of x0
  std::uint8_t rs1 = 0;
  std::uint8_t rs2 = 0;
  std::uint8_t halfwords = 0;  ///< from the beginning of the block
};
static_assert(sizeof(Step) == 16);

/// Takes what is written to x0.
constexpr std::uint8_t kSink = 32;

/// What of a block lies before a step.
struct Passed {
  std::uint16_t cycles = 0;
  std::uint16_t count = 0;  ///< of instructions
};

struct Block {
  const Step* steps = nullptr;  ///< `count` instructions and lines; one that ends no block is followed by kEndPlace
  std::uint32_t count = 0;
  std::uint32_t pc = 0;
  std::uint32_t end = 0;           ///< behind the last instruction
  std::uint32_t cycles = 0;        ///< a branch at its end being taken
  std::uint32_t last = 0;          ///< cycles before the last instruction
  const Passed* before = nullptr;  ///< each step, and what follows the last instruction
  /// Zero while the line that it starts in is not there; those behind it have steps of their own.
  const std::uint8_t* there = &FlashCache::kThere;
  std::uint8_t changes = 0;      ///< of registers at its end, where that leads back (LoopFinder)
  std::array<Block*, 2> next{};  ///< where it has led before; see execute.cpp
};

class CodeCache {
 public:
  /// `places`: of kPlaces. Memory, timing and flash outlive it.
  CodeCache(MemoryMap& memory, const CoreTiming& timing, const FlashCache& flash, const void* const* places,
            bool atomics);

  /// The block that begins at pc; nullptr: it has not been decoded.
  [[nodiscard]] Block* find(std::uint32_t pc);
  /// Decodes it. nullptr: no instruction can be fetched there. May forget all others.
  Block* make(std::uint32_t pc);
  /// Of a block its first steps, up to an instruction, of memory a single one without regard to breakpoints; valid
  /// until the next call.
  Block* beginning_of(const Block& block, std::uint32_t steps);
  Block* single(std::uint32_t pc);

  void forget_all();
  /// How often that has happened: pointers to blocks are void then.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  /// Whether one of these bytes has been decoded.
  [[nodiscard]] bool holds(std::uint32_t address, std::uint32_t size) const;

  void set_breakpoint(std::uint32_t address, bool set);
  [[nodiscard]] bool has_breakpoint(std::uint32_t address) const { return breakpoints_.contains(address); }

 private:
  static constexpr std::uint32_t kMaxCount = 64;  ///< instructions a block, so that Step::halfwords is enough
  static constexpr std::uint32_t kMaxSteps = 2 * kMaxCount + 1;
  static constexpr std::size_t kSteps = std::size_t{1} << 17;
  static constexpr std::size_t kBlocks = std::size_t{1} << 15;

  /// nullopt: it does not lie in executable memory, or not all of it.
  [[nodiscard]] std::optional<Instruction> fetch(std::uint32_t pc) const;
  [[nodiscard]] Step step_of(const Instruction& instruction, std::uint32_t pc) const;
  /// Where the next step of a block is written.
  struct Room {
    Step* step;
    Passed* before;
  };
  /// Writes one instruction, behind its line if that is another one; answers whether it ends a block.
  bool add(const Instruction& instruction, Block& block, Room& room) const;
  void mark(const Block& block, bool decoded);

  MemoryMap& memory_;
  const CoreTiming& timing_;
  const FlashCache& flash_;
  const void* const* places_;
  bool atomics_;
  std::unique_ptr<Step[]> steps_;
  std::unique_ptr<Passed[]> befores_;  ///< beside steps_
  std::unique_ptr<Block[]> blocks_;
  std::size_t used_steps_ = 0;
  std::size_t used_blocks_ = 0;
  /// By window and halfword: the number of the block that begins there, from 1. Made when code of the window is met.
  std::vector<std::vector<std::uint32_t>> starts_;
  std::array<Step, kMaxSteps> scratch_steps_{};
  std::array<Passed, kMaxSteps> scratch_before_{};
  Block scratch_{};
  std::set<std::uint32_t> breakpoints_;
  std::uint64_t generation_ = 0;
};

}  // namespace ftlab::iss::riscv
