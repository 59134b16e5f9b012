// Common memory: the component pairs side by side, behind the card's write protection.
#pragma once

#include "hw/base/address_window.h"
#include "hw/series2plus/bus/control.h"
#include "hw/series2plus/commands/component_pairs.h"

namespace ftlab::hw {

class CommonWindow final : public AddressWindow {
 public:
  CommonWindow(CardContext& card, ComponentPairs& pairs, const CardControl& control)
      : AddressWindow(
            {.name = "common", .bytes = card.spec.capacity_bytes(), .byte_cycles = true, .shows_array = true}),
        card_(card),
        pairs_(pairs),
        control_(control),
        cycle_(card.spec.timing.common_cycle) {}

 private:
  BusResult read_cycle(Ticks now, std::uint32_t address, std::span<std::byte> into) override;
  BusResult write_cycle(Ticks now, std::uint32_t address, std::span<const std::byte> from) override;
  BusResult read_burst(const Burst& burst, std::span<std::byte> into) override;
  BusResult write_burst(const Burst& burst, std::span<const std::byte> from) override;
  /// A write that the card's protection swallows.
  void ignore(Ticks now, std::uint32_t address, std::size_t bytes);

  CardContext& card_;
  ComponentPairs& pairs_;
  const CardControl& control_;
  Ticks cycle_;
};

}  // namespace ftlab::hw
