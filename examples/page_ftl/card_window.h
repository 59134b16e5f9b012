// A window onto the card's core with a clock of its own: the least that a driver needs to run without SystemC.
// Power can be made to fail after a number of bus accesses; a dead card answers all ones and hears nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/units.h"
#include "firmware/port/mmio_port.h"
#include "hw/series2plus/core.h"

namespace example {

/// Shared by the windows of one card.
struct Supply {
  ftlab::Ticks now{};
  std::uint64_t accesses_left = 0;  ///< until power is lost; 0: it is not
  bool on = true;
};

class CardWindow final : public ftlab::MmioPort {
 public:
  CardWindow(ftlab::hw::CardCore& card, ftlab::hw::AddressWindow& window, Supply& supply)
      : card_(card), window_(window), supply_(supply) {}

  std::uint8_t read8(std::uint32_t address) override {
    std::byte value{};
    copy_from(address, {&value, 1});
    return std::to_integer<std::uint8_t>(value);
  }
  void write8(std::uint32_t address, std::uint8_t value) override {
    const std::byte byte{value};
    copy_to(address, {&byte, 1});
  }
  std::uint16_t read16(std::uint32_t address) override {
    std::byte value[2]{};
    copy_from(address, value);
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(value[0]) | (std::to_integer<unsigned>(value[1]) << 8));
  }
  void write16(std::uint32_t address, std::uint16_t value) override {
    const std::byte bytes[2] = {std::byte(value & 0xFFU), std::byte(value >> 8)};
    copy_to(address, bytes);
  }
  void copy_from(std::uint32_t address, std::span<std::byte> into) override {
    if (!powered()) {
      std::ranges::fill(into, std::byte{0xFF});
      return;
    }
    supply_.now += window_.read(supply_.now, address, into).time;
  }
  void copy_to(std::uint32_t address, std::span<const std::byte> from) override {
    if (powered()) supply_.now += window_.write(supply_.now, address, from).time;
  }
  ftlab::WaitResult wait_until(const ftlab::WaitSpec& spec) override {
    const ftlab::Ticks deadline = supply_.now + ftlab::Nanoseconds{static_cast<std::int64_t>(spec.deadline_ns)};
    for (;;) {
      const std::uint16_t value = read16(spec.address);
      if ((value & spec.mask) == spec.expected) return {true, value};
      if (supply_.now >= deadline) return {false, value};
      if (spec.style == ftlab::WaitStyle::ready_interrupt) {
        supply_.now = std::min(card_.next_ready_edge(supply_.now), deadline);
      } else {
        delay_ns(spec.poll_interval_ns);
      }
    }
  }
  void delay_ns(std::uint64_t ns) override { supply_.now += ftlab::Nanoseconds{static_cast<std::int64_t>(ns)}; }

 private:
  bool powered() {
    if (supply_.accesses_left != 0 && --supply_.accesses_left == 0) {
      card_.lose_power(supply_.now);
      supply_.on = false;
    }
    return supply_.on;
  }

  ftlab::hw::CardCore& card_;
  ftlab::hw::AddressWindow& window_;
  Supply& supply_;
};

}  // namespace example
