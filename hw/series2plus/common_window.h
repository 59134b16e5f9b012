// Common memory: the component pairs side by side, behind the card's write protection.
#pragma once

#include "hw/base/address_window.h"
#include "hw/series2plus/card_control.h"
#include "hw/series2plus/component_pairs.h"

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
  BusResult read_cycles(const BusAccess& access, std::span<std::byte> into) override;
  BusResult write_cycles(const BusAccess& access, std::span<const std::byte> from) override;
  void read_burst(BusAccess access, std::span<std::byte> into, Ticks cycle);
  void write_burst(BusAccess access, std::span<const std::byte> from, Ticks cycle);

  CardContext& card_;
  ComponentPairs& pairs_;
  const CardControl& control_;
  Ticks cycle_;
};

}  // namespace ftlab::hw
