// One address range of a device with a chip select of its own, and the bus contract that holds in all of them.
// Knows which accesses are legal; what their cycles do is the family's.
//
// Contract: an access of one byte is one 8-bit cycle, where the window has such cycles; address bit 0 picks the lane.
// An even size at an even address is 16-bit cycles at ascending addresses, or all at one address when repeated.
// A burst is its single cycles. An illegal access takes no time and changes nothing.
// A master may pace a burst: its cycles then begin that far apart, where the family samples cycle by cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "common/units.h"
#include "hw/base/bus_result.h"

namespace ftlab::hw {

/// A legal burst, without its data.
struct Burst {
  Ticks now{};
  std::uint32_t address = 0;
  bool repeat = false;  ///< all cycles at one address
  Ticks pace{};         ///< the master's cycle; zero: the device's own
};

class AddressWindow {
 public:
  struct Shape {
    std::string_view name;     ///< unique in the device
    std::uint32_t bytes = 0;   ///< even
    bool byte_cycles = false;  ///< 8-bit cycles exist
    bool shows_array = false;  ///< inspection through this window sees the array
    bool paced = true;         ///< the master's cycle makes a difference to bursts
  };

  explicit AddressWindow(const Shape& shape) : shape_(shape) {}
  AddressWindow(const AddressWindow&) = delete;
  AddressWindow& operator=(const AddressWindow&) = delete;
  virtual ~AddressWindow() = default;

  [[nodiscard]] const Shape& shape() const { return shape_; }

  BusResult read(Ticks now, std::uint32_t address, std::span<std::byte> into, bool repeat = false, Ticks pace = {}) {
    if (is_word(address, into.size())) return read_cycle(now, address, into);
    if (const BusError error = check(address, into.size(), repeat); error != BusError::none) return {{}, error};
    if (into.size() == 1) return read_cycle(now, address, into);
    return read_burst({now, address, repeat, pace}, into);
  }
  BusResult write(Ticks now, std::uint32_t address, std::span<const std::byte> from, bool repeat = false,
                  Ticks pace = {}) {
    if (is_word(address, from.size())) return write_cycle(now, address, from);
    if (const BusError error = check(address, from.size(), repeat); error != BusError::none) return {{}, error};
    if (from.size() == 1) return write_cycle(now, address, from);
    return write_burst({now, address, repeat, pace}, from);
  }

 private:
  /// One cycle, of one byte or one word.
  virtual BusResult read_cycle(Ticks now, std::uint32_t address, std::span<std::byte> into) = 0;
  virtual BusResult write_cycle(Ticks now, std::uint32_t address, std::span<const std::byte> from) = 0;
  virtual BusResult read_burst(const Burst& burst, std::span<std::byte> into) = 0;
  virtual BusResult write_burst(const Burst& burst, std::span<const std::byte> from) = 0;

  /// What nearly every access is: a legal word.
  [[nodiscard]] bool is_word(std::uint32_t address, std::size_t size) const {
    return size == 2 && (address & 1) == 0 && address < shape_.bytes;
  }
  [[nodiscard]] BusError check(std::uint32_t address, std::size_t size, bool repeat) const {
    const bool byte_cycle = size == 1 && shape_.byte_cycles;
    if (size == 0 || (!byte_cycle && ((address | size) & 1) != 0)) return BusError::misaligned;
    const std::uint64_t reach = repeat && size > 1 ? 2 : size;
    return address + reach > shape_.bytes ? BusError::out_of_range : BusError::none;
  }

  Shape shape_;
};

}  // namespace ftlab::hw
