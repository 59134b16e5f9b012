// What feeds and holds the components: supply, pins, write-protect switch and component management registers.
// Knows no bus cycle. Callers have brought the components to the time they give.
#pragma once

#include <cstdint>

#include "hw/series2plus/bus/management_registers.h"
#include "hw/series2plus/bus/ready_line.h"
#include "hw/series2plus/commands/component_pairs.h"
#include "hw/series2plus/context.h"

namespace ftlab::hw {

class CardControl {
 public:
  CardControl(CardContext& card, ComponentPairs& pairs, ReadyLine& line) : card_(card), pairs_(pairs), line_(line) {}

  // --- pins and supply ---
  void set_vpp_pin(Ticks t, bool on);
  void set_write_protect_switch(bool on) { protect_switch_ = on; }
  void reset_pin(Ticks t, bool asserted);
  void lose_power(Ticks t);
  void restore_power(Ticks t);
  [[nodiscard]] bool powered() const { return powered_; }
  /// Registers take what is written to them.
  [[nodiscard]] bool latches() const { return powered_ && !reset_asserted_; }
  /// Common memory ignores write cycles.
  [[nodiscard]] bool blocks_writes() const { return protect_switch_ || registers_.common_protected(); }

  // --- registers, by attribute address ---
  void write_register(Ticks t, std::uint32_t address, std::uint8_t value);
  [[nodiscard]] std::uint8_t read_register(Ticks t, std::uint32_t address) const;

 private:
  void reset_registers();
  /// Holds or releases the components as pins and registers say.
  void apply_hold(Ticks t);
  void apply_vpp(Ticks t);

  CardContext& card_;
  ComponentPairs& pairs_;
  ReadyLine& line_;
  ManagementRegisters registers_;
  bool powered_ = true;
  bool reset_asserted_ = false;
  bool protect_switch_ = false;
  bool held_ = false;
};

}  // namespace ftlab::hw
