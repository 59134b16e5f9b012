#include "hw/series2plus/bus/attribute_window.h"

#include <algorithm>

#include "hw/regs/series2plus_regs.h"
#include "hw/series2plus/spec/cis.h"

namespace ftlab::hw {
namespace {

constexpr std::uint32_t kAttributeBytes = 0x10000;
constexpr std::uint32_t kFirstRegister = series2plus::cmr::kConfigurationOption;

/// Address of the i-th byte of an burst.
std::uint32_t address_of(const Burst& burst, std::size_t i) {
  return burst.address + static_cast<std::uint32_t>(burst.repeat ? i % 2 : i);
}

}  // namespace

AttributeWindow::AttributeWindow(CardContext& card, ComponentPairs& pairs, CardControl& control)
    : AddressWindow({.name = "attribute", .bytes = kAttributeBytes, .byte_cycles = true, .shows_array = false}),
      card_(card),
      pairs_(pairs),
      control_(control),
      cycle_(card.spec.timing.attribute_cycle),
      cis_(make_cis(card.spec)) {}

std::byte AttributeWindow::byte_at(Ticks t, std::uint32_t address) const {
  if (address >= kFirstRegister) return std::byte{control_.read_register(t, address)};
  return address / 2 < cis_.size() ? std::byte{cis_[address / 2]} : std::byte{0xFF};
}

BusResult AttributeWindow::read_burst(const Burst& burst, std::span<std::byte> into) {
  const Ticks cycle = std::max(burst.pace, cycle_);
  for (std::size_t i = 0; i < into.size(); ++i) {
    const Ticks t = burst.now + cycle * static_cast<std::int64_t>(i / 2);
    const std::uint32_t at = address_of(burst, i);
    into[i] = std::byte{0xFF};
    if ((at & 1) != 0 || !control_.powered()) continue;
    pairs_.advance_to(t);
    into[i] = byte_at(t, at);
  }
  card_.accesses.attribute(burst.address, static_cast<std::uint32_t>(into.size()), burst.now);
  return {cycle * static_cast<std::int64_t>((into.size() + 1) / 2), BusError::none};
}

BusResult AttributeWindow::write_burst(const Burst& burst, std::span<const std::byte> from) {
  const Ticks cycle = std::max(burst.pace, cycle_);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Ticks t = burst.now + cycle * static_cast<std::int64_t>(i / 2) + cycle_;
    const std::uint32_t at = address_of(burst, i);
    // The CIS is hard-wired, and while RESET is asserted nothing is latched.
    if ((at & 1) != 0 || at < kFirstRegister || !control_.latches()) continue;
    pairs_.advance_to(t);
    control_.write_register(t, at, std::to_integer<std::uint8_t>(from[i]));
  }
  card_.accesses.attribute(burst.address, static_cast<std::uint32_t>(from.size()), burst.now);
  return {cycle * static_cast<std::int64_t>((from.size() + 1) / 2), BusError::none};
}

}  // namespace ftlab::hw
