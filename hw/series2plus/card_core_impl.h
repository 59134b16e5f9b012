// Inside of CardCore: pairs, registers, pins. Included by the card_*.cpp files only.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "hw/series2plus/card_context.h"
#include "hw/series2plus/card_core.h"
#include "hw/series2plus/component_pair.h"
#include "hw/series2plus/management_registers.h"
#include "hw/series2plus/ready_line.h"

namespace ftlab::hw {

class CardCore::Impl {
 public:
  static constexpr std::uint32_t kAttributeBytes = 0x10000;

  Impl(const CardSpec& spec, const CardCoreOptions& options);
  /// On cells and bytes that another one had.
  Impl(const CardSpec& spec, const CardCoreOptions& options, WearModel wear, Medium medium);

  // --- card_bus.cpp ---
  /// A 16-bit cycle of common memory at a legal address: what nearly every access is.
  [[nodiscard]] bool is_plain_word(Window window, std::uint32_t address, std::size_t size) const {
    return size == 2 && window == Window::common && (address & 1) == 0 && address < word_limit;
  }
  [[nodiscard]] ComponentPair& pair_at(std::uint32_t address) { return *pairs[address >> pair_shift]; }
  [[nodiscard]] std::uint32_t offset_in_pair(std::uint32_t address) const { return address & ((1U << pair_shift) - 1); }
  [[nodiscard]] bool writes_blocked() const { return protect_switch || registers.common_protected(); }
  /// Length of one cycle of a burst in the window.
  [[nodiscard]] Ticks cycle_of(Window window, Ticks pace) const {
    return std::max(pace, window == Window::common ? card.spec.timing.common_cycle : card.spec.timing.attribute_cycle);
  }
  BusResult access(Window window, std::uint32_t address, std::size_t size, bool repeat, Ticks cycle) const;
  void read_common(Ticks now, std::uint32_t address, std::span<std::byte> into, bool repeat, Ticks cycle);
  void write_common(Ticks now, std::uint32_t address, std::span<const std::byte> from, bool repeat, Ticks cycle);
  void read_attribute(Ticks now, std::uint32_t address, std::span<std::byte> into, bool repeat, Ticks cycle);
  void write_attribute(Ticks now, std::uint32_t address, std::span<const std::byte> from, bool repeat, Ticks cycle);

  // --- card_core.cpp ---
  void settle(Ticks now);
  /// Holds or releases the components as pins and registers say.
  void apply_hold(Ticks t);
  void apply_vpp(Ticks t);
  void write_register(Ticks t, std::uint32_t address, std::uint8_t value);
  [[nodiscard]] std::uint8_t read_register(Ticks t, std::uint32_t address) const;

  CardCoreOptions options;
  CardContext card;
  std::vector<std::unique_ptr<ComponentPair>> pairs;
  std::uint32_t pair_shift;
  std::uint32_t word_limit = 0;  ///< even addresses below it can be read as a word
  ManagementRegisters registers;
  ReadyLine line;
  std::vector<std::uint8_t> cis;
  bool powered = true;
  bool reset_asserted = false;
  bool protect_switch = false;
  bool held = false;
};

}  // namespace ftlab::hw
