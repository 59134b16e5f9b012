// What the steps of predecoded code work on: registers, memory and the bus behind it, faults. Knows no exception: it
// says what has failed, and others decide what follows.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "common/core_timing.h"
#include "platform/machine/iss/arm/code_cache.h"
#include "platform/machine/iss/arm/fault.h"
#include "platform/machine/iss/arm/op.h"
#include "platform/machine/iss/arm/registers.h"
#include "platform/machine/iss/flash_cache.h"
#include "platform/machine/iss/loop_finder.h"
#include "platform/machine/iss/memory_map.h"
#include "platform/machine/iss/store_log.h"

namespace ftlab::iss::arm {

/// The registers that belong to the core itself, at 0xE0000000.
class SystemSpace {
 public:
  virtual ~SystemSpace() = default;
  virtual bool read_system(std::uint32_t address, unsigned size, std::uint32_t& value, bool privileged) = 0;
  virtual bool write_system(std::uint32_t address, unsigned size, std::uint32_t value, bool privileged) = 0;
};

enum class Access : std::uint8_t {
  failed,
  done,
  last,  ///< done, and the block has to be left
};

class Context {
 public:
  Context(const std::vector<MemoryRegion>& regions, const CoreTiming& times, Bus& bus, SystemSpace& system, bool dsp);

  Registers g;
  Fault fault;
  bool leave = false;                 ///< the block, after this instruction
  bool code_changed = false;          ///< blocks are no longer what memory holds
  bool unaligned_is_a_fault = false;  ///< CCR.UNALIGN_TRP
  bool zero_divide_is_a_fault = false;
  const bool has_dsp;

  /// Cycles until something is due, without those of the whole block that is being executed.
  std::int64_t left = 0;
  /// Instructions since the slice began, with those of the whole block that is being executed.
  std::uint64_t executed = 0;
  /// Cycles of the instruction at fault, or of the last one of a block.
  std::int64_t faulted = 1;
  Block* block = nullptr;  ///< being executed
  const Op* at = nullptr;  ///< the step that has left the fast path

  const CoreTiming timing;
  const std::int64_t not_taken_refund;  ///< what a conditional branch is charged too much where it is not taken
  MemoryMap memory;
  StoreLog stores;
  LoopFinder<Registers> loops;
  bool repeats = false;  ///< LoopFinder says so
  FlashCache flash;
  CodeCache code;

  /// The instruction being executed takes so many cycles more.
  void wait(std::int64_t cycles) {
    left -= cycles;
    if (left < 0) {
      leave = true;
    }
  }
  /// What is to be executed of a block that may not fit into the time that is left, or whose first line may not be
  /// there. nullptr: nothing, as its first instruction begins too late.
  Block* prepare(Block* whole);

  template <class T>
  Access load(const Op& op, std::uint32_t address, T& value) {
    if (const std::uint8_t* const place = memory.load_pages().find<T>(address)) [[likely]] {
      std::memcpy(&value, place, sizeof value);
      return Access::done;
    }
    std::uint32_t offset = 0;
    const MemoryMap::Window& window = memory.for_load(address);
    if (window.holds<T>(address, offset)) {
      value = window.load<T>(offset);
      return Access::done;
    }
    if (memory.slow().holds<T>(address, offset) && flash.has(flash.line_of(address)) && !memory.is_left(address)) {
      value = memory.slow().load<T>(offset);
      return Access::done;
    }
    std::uint32_t wide = 0;
    at = &op;
    const Access access = read(address, sizeof(T), wide, g.privileged());
    value = static_cast<T>(wide);
    return access;
  }
  template <class T>
  Access store(const Op& op, std::uint32_t address, T value) {
    if (std::uint8_t* const place = memory.store_pages().find<T>(address)) [[likely]] {
      std::memcpy(place, &value, sizeof value);
      return Access::done;
    }
    std::uint32_t offset = 0;
    const MemoryMap::Window& window = memory.for_store(address);
    if (window.holds<T>(address, offset) && !window.marked<T>(offset)) {
      window.store<T>(offset, value);
      return Access::done;
    }
    return write_for(op, address, sizeof(T), value, g.privileged());
  }

  // Any access, aligned or not.
  Access read(std::uint32_t address, unsigned size, std::uint32_t& value, bool privileged);
  Access write(std::uint32_t address, unsigned size, std::uint32_t value, bool privileged);
  /// Of a step, and what it stores to is noted.
  Access write_for(const Op& op, std::uint32_t address, unsigned size, std::uint32_t value, bool privileged);

 private:
  template <class T>
  void store_in(const MemoryMap::Window& window, std::uint32_t offset, std::uint32_t value);
  bool refuse_unaligned(std::uint32_t address);
  void read_flash(std::uint32_t address, unsigned size);
  Access read_aligned(std::uint32_t address, unsigned size, std::uint32_t& value, bool privileged);
  Access write_aligned(std::uint32_t address, unsigned size, std::uint32_t value, bool privileged);

  Bus& bus_;
  SystemSpace& system_;
};

}  // namespace ftlab::iss::arm
