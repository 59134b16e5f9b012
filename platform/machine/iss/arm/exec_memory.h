// Steps that load and store (ops.inc): they return whether the block goes on. Included by the executor alone.
#pragma once

#include <bit>
#include <cstring>

#include "platform/machine/iss/arm/context.h"

namespace ftlab::iss::arm {

template <Mode kMode>
std::uint32_t address_of(const Registers& g, const Op& op) {
  if constexpr (kMode == Mode::literal) {
    return op.imm;
  } else if constexpr (kMode == Mode::indexed) {
    return g.r[op.rn] + (g.r[op.rm] << op.imm);
  } else if constexpr (kMode == Mode::post) {
    return g.r[op.rn];
  } else {
    return g.r[op.rn] + op.imm;
  }
}
template <Mode kMode>
void write_back(Registers& g, const Op& op) {
  if constexpr (kMode == Mode::pre || kMode == Mode::post) {
    g.r[op.rn] += op.imm;
  }
}

template <class T, Mode kMode>
bool load(Context& m, const Op& op) {
  Registers& g = m.g;
  const std::uint32_t address = address_of<kMode>(g, op);
  T value{};
  Access access{};
  if constexpr (kMode == Mode::user) {
    std::uint32_t wide = 0;
    m.at = &op;
    access = m.read(address, sizeof(T), wide, false);
    value = static_cast<T>(wide);
  } else {
    access = m.load<T>(op, address, value);
  }
  if (access == Access::failed) [[unlikely]] {
    return false;
  }
  write_back<kMode>(g, op);
  if constexpr (sizeof(T) == 4) {
    g.r[op.rd] = value;
  } else {
    g.r[op.rd] = static_cast<std::uint32_t>(std::int32_t{value});
  }
  return access == Access::done;
}

template <class T, Mode kMode>
bool store(Context& m, const Op& op) {
  Registers& g = m.g;
  const std::uint32_t address = address_of<kMode>(g, op);
  const T value = static_cast<T>(g.r[op.rd]);
  Access access{};
  if constexpr (kMode == Mode::user) {
    access = m.write_for(op, address, sizeof(T), value, false);
  } else {
    access = m.store<T>(op, address, value);
  }
  if (access == Access::failed) [[unlikely]] {
    return false;
  }
  write_back<kMode>(g, op);
  return access == Access::done;
}

inline bool refused_unaligned(Context& m, std::uint32_t address, std::uint32_t mask) {
  if ((address & mask) != 0) [[unlikely]] {
    m.fault = Fault::unaligned(address);
    return true;
  }
  return false;
}

/// The registers of the list, from the lowest address on. `rd`: 1 for addresses below the base. `rm`: bytes. `ra`:
/// writes back.
inline bool ldm(Context& m, const Op& op) {
  Registers& g = m.g;
  const std::uint32_t bytes = op.rm;
  const std::uint32_t base = g.r[op.rn];
  const std::uint32_t moved = op.rd != 0 ? base - bytes : base + bytes;
  std::uint32_t address = op.rd != 0 ? moved : base;
  if (refused_unaligned(m, address, 3)) {
    return false;
  }
  if (const std::uint8_t* place = m.memory.load_pages().find_words(address, bytes)) [[likely]] {
    if (op.ra != 0) {
      g.r[op.rn] = moved;
    }
    for (std::uint32_t list = op.imm; list != 0; list &= list - 1) {
      std::memcpy(&g.r[static_cast<unsigned>(std::countr_zero(list))], place, 4);
      place += 4;
    }
    return true;
  }
  // Registers change when all loads have succeeded, so that the instruction can be repeated.
  std::uint32_t values[17];
  Access last = Access::done;
  for (std::uint32_t list = op.imm; list != 0; list &= list - 1) {
    const Access access = m.load<std::uint32_t>(op, address, values[std::countr_zero(list)]);
    if (access == Access::failed) [[unlikely]] {
      return false;
    }
    last = access == Access::last ? access : last;
    address += 4;
  }
  if (op.ra != 0) {
    g.r[op.rn] = moved;
  }
  for (std::uint32_t list = op.imm; list != 0; list &= list - 1) {
    g.r[static_cast<unsigned>(std::countr_zero(list))] = values[std::countr_zero(list)];
  }
  return last == Access::done;
}

inline bool stm(Context& m, const Op& op) {
  Registers& g = m.g;
  const std::uint32_t bytes = op.rm;
  const std::uint32_t base = g.r[op.rn];
  const std::uint32_t moved = op.rd != 0 ? base - bytes : base + bytes;
  std::uint32_t address = op.rd != 0 ? moved : base;
  if (refused_unaligned(m, address, 3)) {
    return false;
  }
  if (std::uint8_t* place = m.memory.store_pages().find_words(address, bytes)) [[likely]] {
    for (std::uint32_t list = op.imm; list != 0; list &= list - 1) {
      std::memcpy(place, &g.r[static_cast<unsigned>(std::countr_zero(list))], 4);
      place += 4;
    }
    if (op.ra != 0) {
      g.r[op.rn] = moved;
    }
    return true;
  }
  Access last = Access::done;
  for (std::uint32_t list = op.imm; list != 0; list &= list - 1) {
    const Access access = m.store<std::uint32_t>(op, address, g.r[static_cast<unsigned>(std::countr_zero(list))]);
    if (access == Access::failed) [[unlikely]] {
      return false;
    }
    last = access == Access::last ? access : last;
    address += 4;
  }
  if (op.ra != 0) {
    g.r[op.rn] = moved;
  }
  return last == Access::done;
}

/// `ra`: 0 without writeback, 1 with it, 2 when the offset counts after the access.
inline bool ldrd(Context& m, const Op& op) {
  Registers& g = m.g;
  const std::uint32_t moved = g.r[op.rn] + op.imm;
  const std::uint32_t address = op.ra == 2 ? g.r[op.rn] : moved;
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  if (refused_unaligned(m, address, 3)) {
    return false;
  }
  const Access first = m.load<std::uint32_t>(op, address, low);
  const Access second = first == Access::failed ? first : m.load<std::uint32_t>(op, address + 4, high);
  if (second == Access::failed) [[unlikely]] {
    return false;
  }
  if (op.ra != 0) {
    g.r[op.rn] = moved;
  }
  g.r[op.rd] = low;
  g.r[op.rm] = high;
  return first == Access::done && second == Access::done;
}

inline bool strd(Context& m, const Op& op) {
  Registers& g = m.g;
  const std::uint32_t moved = g.r[op.rn] + op.imm;
  const std::uint32_t address = op.ra == 2 ? g.r[op.rn] : moved;
  if (refused_unaligned(m, address, 3)) {
    return false;
  }
  const Access first = m.store<std::uint32_t>(op, address, g.r[op.rd]);
  const Access second = first == Access::failed ? first : m.store<std::uint32_t>(op, address + 4, g.r[op.rm]);
  if (second == Access::failed) [[unlikely]] {
    return false;
  }
  if (op.ra != 0) {
    g.r[op.rn] = moved;
  }
  return first == Access::done && second == Access::done;
}

template <class T>
bool exclusive_load(Context& m, const Op& op) {
  const std::uint32_t address = m.g.r[op.rn] + op.imm;
  T value{};
  if (refused_unaligned(m, address, sizeof(T) - 1)) {
    return false;
  }
  const Access access = m.load<T>(op, address, value);
  if (access == Access::failed) [[unlikely]] {
    return false;
  }
  m.g.exclusive = true;
  m.g.r[op.rd] = value;
  return access == Access::done;
}
/// The monitor of these cores knows no address. `rm`: what tells the outcome.
template <class T>
bool exclusive_store(Context& m, const Op& op) {
  const std::uint32_t address = m.g.r[op.rn] + op.imm;
  if (refused_unaligned(m, address, sizeof(T) - 1)) {
    return false;
  }
  if (!m.g.exclusive) {
    m.g.r[op.rm] = 1;
    return true;
  }
  const Access access = m.store<T>(op, address, static_cast<T>(m.g.r[op.rd]));
  if (access == Access::failed) [[unlikely]] {
    return false;
  }
  m.g.exclusive = false;
  m.g.r[op.rm] = 0;
  return access == Access::done;
}

}  // namespace ftlab::iss::arm
