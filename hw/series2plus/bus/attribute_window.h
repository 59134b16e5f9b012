// Attribute memory: card information structure and management registers, on even bytes only.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/base/address_window.h"
#include "hw/series2plus/bus/control.h"
#include "hw/series2plus/commands/component_pairs.h"

namespace ftlab::hw {

class AttributeWindow final : public AddressWindow {
 public:
  AttributeWindow(CardContext& card, ComponentPairs& pairs, CardControl& control);

 private:
  BusResult read_cycle(Ticks now, std::uint32_t address, std::span<std::byte> into) override {
    return read_burst({.now = now, .address = address}, into);
  }
  BusResult write_cycle(Ticks now, std::uint32_t address, std::span<const std::byte> from) override {
    return write_burst({.now = now, .address = address}, from);
  }
  BusResult read_burst(const Burst& burst, std::span<std::byte> into) override;
  BusResult write_burst(const Burst& burst, std::span<const std::byte> from) override;
  [[nodiscard]] std::byte byte_at(Ticks t, std::uint32_t address) const;

  CardContext& card_;
  ComponentPairs& pairs_;
  CardControl& control_;
  Ticks cycle_;
  std::vector<std::uint8_t> cis_;
};

}  // namespace ftlab::hw
