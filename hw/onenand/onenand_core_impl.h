// Inside of OneNandCore: dies, bus decoding, supply. Included by the onenand_*.cpp files only.
#pragma once

#include <memory>
#include <vector>

#include "hw/onenand/bus_meter.h"
#include "hw/onenand/die.h"
#include "hw/onenand/onenand_context.h"
#include "hw/onenand/onenand_core.h"

namespace ftlab::hw {

class OneNandCore::Impl {
 public:
  /// On cells that another one may have had.
  Impl(const OneNandSpec& spec, const OneNandOptions& chosen, CellArray cells);

  // --- onenand_bus.cpp ---
  [[nodiscard]] static BusError check(std::uint32_t address, std::size_t size, bool repeat);
  void read_span(Ticks now, Ticks time, std::uint32_t address, std::span<std::byte> into, bool repeat);
  void write_span(Ticks now, Ticks time, std::uint32_t address, std::span<const std::byte> from, bool repeat);
  [[nodiscard]] std::uint16_t read_register(std::uint32_t address);
  void write_register(Ticks t, std::uint32_t address, std::uint16_t value);
  void write_boot(Ticks t, std::uint16_t value);
  void hot_reset(Ticks t);
  /// Buffer RAM from this window address on; empty outside of it. The die is the one that DBS selects.
  [[nodiscard]] std::span<std::byte> ram_at(std::uint32_t address);

  // --- onenand_core.cpp ---
  void settle(Ticks t) {
    for (auto& die : dies) die->advance(t);
  }
  [[nodiscard]] bool answers() const { return powered && !in_reset; }
  [[nodiscard]] std::uint32_t host_die_index() const { return device.registers.dbs() & die_mask; }
  [[nodiscard]] Die& host_die() { return *dies[host_die_index()]; }
  [[nodiscard]] const Die& host_die() const { return *dies[host_die_index()]; }
  [[nodiscard]] Die& command_die() { return *dies[device.registers.dfs() & die_mask]; }
  [[nodiscard]] const Die& die_of(std::uint32_t segment) const { return *dies[segment / device.spec.segments_per_die]; }
  [[nodiscard]] bool slc(std::uint32_t segment) const {
    return die_of(segment).is_slc(segment % device.spec.segments_per_die);
  }
  void default_registers();
  void halt(Ticks now);

  OneNandOptions options;
  OneNandContext device;
  BusMeter meter;
  std::vector<std::unique_ptr<Die>> dies;
  std::uint32_t die_mask;
  bool powered = true;
  bool in_reset = false;
  bool booted = true;          ///< since the supply came up
  bool id_mode = false;        ///< BootRAM words 0-2 show identifiers
  bool boot_load_set = false;  ///< first half of the two-cycle load was written
  Ticks powered_since{};
  Ticks powered_before{};
};

}  // namespace ftlab::hw
