// Inside of CardCore: pairs, registers, pins. Included by the card_*.cpp files only.
#pragma once

#include <memory>
#include <vector>

#include "hw/card/card_context.h"
#include "hw/card/card_core.h"
#include "hw/card/component_pair.h"
#include "hw/card/management_registers.h"
#include "hw/card/ready_line.h"

namespace ftlab::hw {

class CardCore::Impl {
 public:
  static constexpr std::uint32_t kAttributeBytes = 0x10000;

  Impl(const CardSpec& spec, const CardCoreOptions& options);

  // --- card_bus.cpp ---
  BusResult access(Window window, std::uint32_t address, std::size_t size, bool repeat) const;
  void read_common(Ticks now, std::uint32_t address, std::span<std::byte> into, bool repeat);
  void write_common(Ticks now, std::uint32_t address, std::span<const std::byte> from, bool repeat);
  void read_attribute(Ticks now, std::uint32_t address, std::span<std::byte> into, bool repeat);
  void write_attribute(Ticks now, std::uint32_t address, std::span<const std::byte> from, bool repeat);

  // --- card_core.cpp ---
  void settle(Ticks now);
  /// Holds or releases the components as pins and registers say.
  void apply_hold(Ticks t);
  void apply_vpp(Ticks t);
  void write_register(Ticks t, std::uint32_t address, std::uint8_t value);
  [[nodiscard]] std::uint8_t read_register(Ticks t, std::uint32_t address) const;

  CardContext card;
  std::vector<std::unique_ptr<ComponentPair>> pairs;
  std::uint32_t pair_shift;
  ManagementRegisters registers;
  ReadyLine line;
  std::vector<std::uint8_t> cis;
  bool powered = true;
  bool reset_asserted = false;
  bool protect_switch = false;
  bool held = false;
};

}  // namespace ftlab::hw
