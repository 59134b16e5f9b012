// Blocks of predecoded code, made where they are first executed. A block ends at a jump, at the end of its region, in
// front of a breakpoint, or when it is long. Knows encodings by the decoder alone, and executes nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/core_timing.h"
#include "platform/machine/iss/arm/op.h"
#include "platform/machine/iss/flash_cache.h"
#include "platform/machine/iss/memory_map.h"

namespace ftlab::iss::arm {

struct Block {
  std::uint32_t start = 0;
  std::uint16_t count = 0;  ///< of instructions; steps may be more
  std::uint16_t bytes = 0;
  std::uint16_t cycles = 0;  ///< a conditional branch at its end being taken
  std::uint16_t last = 0;    ///< cycles before the last instruction
  bool breakpoint = false;   ///< at its start
  std::uint8_t changes = 0;  ///< of registers at its end, where that leads back (LoopFinder)
  /// Zero while the line that it starts in is not there; those behind it have steps of their own.
  const std::uint8_t* there = &FlashCache::kThere;
  const Op* ops = nullptr;
  /// Where execution goes on, once it has gone there.
  Block* taken = nullptr;
  Block* next = nullptr;
  Block* earlier = nullptr;  ///< in place of `taken`, by a jump to an address in a register
};

class CodeCache {
 public:
  /// Memory, timing and flash outlive it.
  CodeCache(const MemoryMap& memory, const CoreTiming& timing, const FlashCache& flash, bool dsp);

  /// nullptr: nothing can be executed there. Must have room.
  Block* find(std::uint32_t pc) {
    const std::uint32_t offset = pc - latest_.base;
    if (offset < latest_.size) [[likely]] {
      if (Block* block = latest_.blocks[offset / 2]) [[likely]] {
        return block;
      }
    }
    return find_slowly(pc);
  }
  /// A block that begins inside an IT block; it holds until the next call.
  Block* inside_it(std::uint32_t pc, std::uint8_t it);
  /// The first instructions of a longer block, which end by OpCode::end; they hold until the next call.
  Block* first_of(const Block& block, std::uint32_t count);

  /// False when the next block may need memory: forget() first.
  [[nodiscard]] bool has_room() const { return ops_.size() + kMaxSteps <= kOps && blocks_.size() < kBlocks; }
  /// Whether code may have been among these bytes.
  [[nodiscard]] bool has_code(std::uint32_t address, std::uint32_t size) const;
  void forget();

  void set_breakpoint(std::uint32_t address);
  void clear_breakpoint(std::uint32_t address);

 private:
  static constexpr unsigned kMaxCount = 64;
  static constexpr unsigned kMaxSteps = kMaxCount * 6;
  static constexpr unsigned kMaxCycles = 255;  ///< what Op::before holds
  static constexpr std::size_t kOps = 1U << 18;
  static constexpr std::size_t kBlocks = 1U << 15;

  using Window = MemoryMap::Window;
  /// The window of the latest search, with its blocks by halfword.
  struct Latest {
    std::uint32_t base = 0;
    std::uint32_t size = 0;
    Block** blocks = nullptr;
  };

  Block* find_slowly(std::uint32_t pc);
  /// Of at most so many instructions; 0: to the end of the IT block, for once.
  Block make(const Window& window, std::uint32_t pc, std::uint8_t it, std::vector<Op>& ops, unsigned most);
  /// Cycles of all instructions, whose steps begin there.
  void charge(const Window& window, std::uint32_t end, std::uint8_t it, std::span<Op> steps, Block& block) const;
  /// Whether the instruction there, which belongs to no block so far, loads or stores a register.
  [[nodiscard]] bool access_at(const Window& window, std::uint32_t pc, std::uint8_t it) const;
  [[nodiscard]] bool has_breakpoint(std::uint32_t address) const;

  const MemoryMap& memory_;
  const CoreTiming& timing_;
  const FlashCache& flash_;
  std::vector<std::vector<Block*>> tables_;  // by window; empty until something is executed there
  Latest latest_;
  bool dsp_;
  // Both never grow beyond their capacity, so that pointers into them hold.
  std::vector<Op> ops_;
  std::vector<Block> blocks_;
  std::vector<Op> inside_ops_, first_ops_;
  Block inside_, first_;
  std::vector<std::uint32_t> breakpoints_;
};

}  // namespace ftlab::iss::arm
