// What an instruction-set core sees behind its load and store instructions: plain memory that it may touch by itself,
// and the bus for everything else. Knows no core, no device and no simulated time.
#pragma once

#include <cstdint>

namespace ftlab::iss {

/// Memory without side effects, such as RAM, ROM and flash in read mode; its bytes lie in little-endian order.
/// Base and size are multiples of 4, and regions of a core do not overlap.
struct MemoryRegion {
  std::uint32_t base = 0;
  std::uint32_t size = 0;
  std::uint8_t* bytes = nullptr;  ///< `size` of them, at least as long-lived as the core; aligned to 4
  bool writable = false;          ///< if not, a store is an access of the bus, which may refuse it
  bool executable = false;        ///< instructions are fetched from such regions alone
};

/// Accesses outside memory regions, and of memory that is left to the bus, where they may be unaligned. Called in
/// program order, once an access. A called bus may change the core's interrupt lines and call Core::end_run().
class Bus {
 public:
  virtual ~Bus() = default;
  /// `size`: 1, 2 or 4 bytes; the address is a multiple of it. The upper bits of `value` are zero.
  /// false: a bus error, and nothing has happened.
  virtual bool read(std::uint32_t address, unsigned size, std::uint32_t& value) = 0;
  virtual bool write(std::uint32_t address, unsigned size, std::uint32_t value) = 0;
};

}  // namespace ftlab::iss
