#include "platform/machine/iss/arm/context.h"

#include <algorithm>

namespace ftlab::iss::arm {
namespace {

constexpr bool is_system(std::uint32_t address) { return address >> 20 == 0xE00; }
/// Device memory of the default map, where an access has to be aligned.
constexpr bool is_device(std::uint32_t address) { return address >> 29 == 2 || address >> 29 >= 5; }

/// Of an access that is not aligned: the largest part at its start that is.
unsigned aligned_part(std::uint32_t address, unsigned size) { return (address & 1) != 0 || size < 2 ? 1 : 2; }

}  // namespace

Context::Context(const std::vector<MemoryRegion>& regions, const CoreTiming& times, Bus& bus, SystemSpace& system,
                 bool dsp)
    : has_dsp(dsp),
      timing(times),
      not_taken_refund(std::int64_t{times.branch_taken} - times.branch_not_taken),
      memory(regions),
      flash(times.flash),
      code(memory, timing, flash, dsp),
      bus_(bus),
      system_(system) {
  if (flash.covers(times.flash.base)) {
    memory.load_slowly(times.flash.base, times.flash.size);
  }
}

Block* Context::prepare(Block* whole) {
  if (left > 0 && *whole->there == 0) {
    const bool reaches_on = whole->ops->code == OpCode::line;
    left -= flash.touch(whole->start, reaches_on ? 4 : 2);
  }
  if (left <= 0) {
    return nullptr;
  }
  if (left > whole->last) {
    return whole;
  }
  const Op* op = whole->ops;
  while (op->before < left) {
    ++op;
  }
  return code.first_of(*whole, op->index);
}

template <class T>
void Context::store_in(const MemoryMap::Window& window, std::uint32_t offset, std::uint32_t value) {
  window.store<T>(offset, static_cast<T>(value));
  if (window.marked<T>(offset)) {
    code_changed = true;
    leave = true;
    stores.spoil();
  }
}

bool Context::refuse_unaligned(std::uint32_t address) {
  if (unaligned_is_a_fault || is_device(address)) {
    fault = Fault::unaligned(address);
    return true;
  }
  return false;
}

void Context::read_flash(std::uint32_t address, unsigned size) {
  wait(flash.touch(address, size));
  // The line that has gone may be the one that the next instruction begins in.
  if (at != nullptr && !flash.holds(block->start + 2U * at->place + at->size - 2, 2)) {
    leave = true;
  }
}

Access Context::read_aligned(std::uint32_t address, unsigned size, std::uint32_t& value, bool privileged) {
  if (const MemoryMap::Window* window = memory.find(address); window != nullptr && !memory.is_left(address)) {
    if (flash.covers(address)) {
      read_flash(address, size);
    }
    const std::uint32_t offset = address - window->base;
    value = size == 4   ? window->load<std::uint32_t>(offset)
            : size == 2 ? window->load<std::uint16_t>(offset)
                        : window->load<std::uint8_t>(offset);
    return leave ? Access::last : Access::done;
  }
  const bool done =
      is_system(address) ? system_.read_system(address, size, value, privileged) : bus_.read(address, size, value);
  if (!done) {
    fault = Fault::bus(address);
    return Access::failed;
  }
  return leave ? Access::last : Access::done;
}

Access Context::write_aligned(std::uint32_t address, unsigned size, std::uint32_t value, bool privileged) {
  if (const MemoryMap::Window* window = memory.find_writable(address); window != nullptr && !memory.is_left(address)) {
    const std::uint32_t offset = address - window->base;
    if (size == 4) {
      store_in<std::uint32_t>(*window, offset, value);
    } else if (size == 2) {
      store_in<std::uint16_t>(*window, offset, value);
    } else {
      store_in<std::uint8_t>(*window, offset, value);
    }
    return leave ? Access::last : Access::done;
  }
  if (size < 4) {
    value &= (1U << 8 * size) - 1;
  }
  const bool done =
      is_system(address) ? system_.write_system(address, size, value, privileged) : bus_.write(address, size, value);
  if (!done) {
    fault = Fault::bus(address);
    return Access::failed;
  }
  return leave ? Access::last : Access::done;
}

Access Context::read(std::uint32_t address, unsigned size, std::uint32_t& value, bool privileged) {
  if ((address & (size - 1)) == 0) {
    return read_aligned(address, size, value, privileged);
  }
  if (refuse_unaligned(address)) {
    return Access::failed;
  }
  value = 0;
  Access access = Access::done;
  for (unsigned done = 0; done < size;) {
    const unsigned part = aligned_part(address + done, size - done);
    std::uint32_t piece = 0;
    access = read_aligned(address + done, part, piece, privileged);
    if (access == Access::failed) {
      return access;
    }
    value |= piece << 8 * done;
    done += part;
  }
  return access;
}

Access Context::write_for(const Op& op, std::uint32_t address, unsigned size, std::uint32_t value, bool privileged) {
  at = &op;
  if (stores.notes()) {
    const MemoryMap::Window* const window = memory.find_writable(address);
    if (window != nullptr && window->size - (address - window->base) >= size) {
      stores.note(window->bytes + (address - window->base), size);
    } else if (window != nullptr) {
      stores.spoil();
    }
  }
  return write(address, size, value, privileged);
}

Access Context::write(std::uint32_t address, unsigned size, std::uint32_t value, bool privileged) {
  if ((address & (size - 1)) == 0) {
    return write_aligned(address, size, value, privileged);
  }
  if (refuse_unaligned(address)) {
    return Access::failed;
  }
  Access access = Access::done;
  for (unsigned done = 0; done < size;) {
    const unsigned part = aligned_part(address + done, size - done);
    access = write_aligned(address + done, part, value >> 8 * done, privileged);
    if (access == Access::failed) {
      return access;
    }
    done += part;
  }
  return access;
}

}  // namespace ftlab::iss::arm
