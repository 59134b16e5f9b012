// The 128 KiB window: boot area, DataRAM of the selected die, registers. 16-bit cycles only.
// A burst in buffer RAM sees the RAM as at its beginning, or changes it at its end; register words count one by one.
// A burst runs at the device's own pace, whatever the master's.
#pragma once

#include <cstdint>
#include <span>

#include "hw/base/address_window.h"
#include "hw/onenand/bus/bus_meter.h"
#include "hw/onenand/bus/control.h"
#include "hw/onenand/bus/register_file.h"
#include "hw/onenand/commands/dies.h"
#include "hw/onenand/context.h"

namespace ftlab::hw {

class OneNandWindow final : public AddressWindow {
 public:
  OneNandWindow(OneNandContext& device, BusMeter& meter, Dies& dies, OneNandControl& control)
      : AddressWindow({.name = "bus", .bytes = flexonenand::kWindowBytes, .byte_cycles = false, .shows_array = true}),
        device_(device),
        meter_(meter),
        dies_(dies),
        control_(control),
        registers_(device, meter, dies, control) {}

 private:
  BusResult read_cycle(Ticks now, std::uint32_t address, std::span<std::byte> into) override;
  BusResult write_cycle(Ticks now, std::uint32_t address, std::span<const std::byte> from) override;
  BusResult read_burst(const Burst& burst, std::span<std::byte> into) override;
  BusResult write_burst(const Burst& burst, std::span<const std::byte> from) override;
  void read_words(const Burst& burst, Ticks time, std::span<std::byte> into);
  void write_words(const Burst& burst, Ticks time, std::span<const std::byte> from);
  void show_identifiers(const Burst& burst, std::span<std::byte> into) const;
  /// Commands of the boot area.
  void write_boot(Ticks t, std::uint16_t value);
  /// Reads what lies in the part of buffer RAM at this address: so many bytes, none outside of it.
  std::size_t read_ram(std::uint32_t address, std::span<std::byte> into) const;
  /// The same of a write to DataRAM.
  std::size_t write_ram(std::uint32_t address, std::span<const std::byte> from);

  OneNandContext& device_;
  BusMeter& meter_;
  Dies& dies_;
  OneNandControl& control_;
  RegisterFile registers_;
};

}  // namespace ftlab::hw
