// Which slot is accessed next. A slot is the page-aligned room of one request; slots are counted from 0.
// A pattern does not know whether its accesses read or write, nor how long they are.
#pragma once

#include <cstdint>
#include <span>

namespace ftlab::workloads {

class AddressPattern {
 public:
  AddressPattern() = default;
  AddressPattern(const AddressPattern&) = delete;
  AddressPattern& operator=(const AddressPattern&) = delete;
  virtual ~AddressPattern() = default;

  /// Fills the whole batch. The sequence does not depend on how it is split into batches.
  virtual void draw(std::span<std::uint32_t> slots) = 0;
  /// From 1, the first class of the configuration, on; 0: there are none.
  [[nodiscard]] virtual std::uint8_t class_of(std::uint32_t /*slot*/) const { return 0; }
};

}  // namespace ftlab::workloads
