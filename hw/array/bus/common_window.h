// Registers, descriptors and completions, see hw/regs/array_regs.h. 16-bit cycles only.
// Descriptors and completions are legal in whole records from the first of their area; anything else there is
// misaligned as a write or a burst read, and reads as ones as a single word elsewhere in the area. Words that are no
// register read as ones, and writes to what cannot be written are ignored.
// A read samples at its beginning. A burst runs at the device's own pace, whatever the master's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hw/array/bus/access_meter.h"
#include "hw/array/bus/supply.h"
#include "hw/array/commands/controller.h"
#include "hw/array/context.h"
#include "hw/base/address_window.h"

namespace ftlab::hw::array {

class CommonWindow final : public AddressWindow {
 public:
  CommonWindow(const Context& device, AccessMeter& meter, const Supply& supply, Controller& controller);

 private:
  BusResult read_cycle(Ticks now, std::uint32_t address, std::span<std::byte> into) override;
  BusResult write_cycle(Ticks now, std::uint32_t address, std::span<const std::byte> from) override {
    return write_burst({.now = now, .address = address}, from);
  }
  BusResult read_burst(const Burst& burst, std::span<std::byte> into) override;
  BusResult write_burst(const Burst& burst, std::span<const std::byte> from) override;

  BusResult write_descriptors(const Burst& burst, std::span<const std::byte> from);
  BusResult read_completions(const Burst& burst, std::span<std::byte> into);
  /// What all reads have in common; without supply they read as ones.
  BusResult begin_read(const Burst& burst, std::span<std::byte> into);
  [[nodiscard]] std::uint16_t status_at(Ticks now) const;
  [[nodiscard]] std::uint16_t word_at(Ticks now, std::uint32_t address) const;
  [[nodiscard]] Ticks time_of(std::size_t bytes) const { return word_ * static_cast<std::int64_t>(bytes / 2); }

  Ticks word_;
  Ticks descriptor_;
  AccessMeter& meter_;
  const Supply& supply_;
  Controller& controller_;
  std::vector<std::uint16_t> identity_;  ///< fixed registers, word by word
};

}  // namespace ftlab::hw::array
