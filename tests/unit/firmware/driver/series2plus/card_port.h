// The driver's two windows onto a CardCore, with a clock of their own: what a host with ideal timers would see.
// Knows no SystemC. Every access takes the card's cycle time; waits move the clock.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <span>

#include "common/units.h"
#include "firmware/port/mmio_port.h"
#include "hw/series2plus/core.h"

namespace ftlab::test {

/// Clock and counters shared by both windows.
struct CardBus {
  hw::CardCore& core;
  Ticks now{};
  std::uint64_t accesses = 0;         ///< transactions; a burst counts once
  std::uint64_t wait_reads = 0;       ///< status reads made by wait_until
  std::function<void()> on_access{};  ///< called before each access: faults are injected here

  [[nodiscard]] double seconds() const { return to_seconds(now); }
};

class CardPort final : public MmioPort {
 public:
  CardPort(CardBus& bus, hw::AddressWindow& window) : bus_(bus), window_(window) {}

  std::uint8_t read8(std::uint32_t address) override {
    std::byte value{};
    read(address, {&value, 1});
    return std::to_integer<std::uint8_t>(value);
  }
  void write8(std::uint32_t address, std::uint8_t value) override {
    const std::byte byte{value};
    write(address, {&byte, 1});
  }
  std::uint16_t read16(std::uint32_t address) override {
    std::byte value[2];
    read(address, value);
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(value[0]) | (std::to_integer<unsigned>(value[1]) << 8));
  }
  void write16(std::uint32_t address, std::uint16_t value) override {
    const std::byte bytes[2] = {std::byte(value & 0xFFU), std::byte(value >> 8)};
    write(address, bytes);
  }
  void copy_from(std::uint32_t address, std::span<std::byte> into) override { read(address, into); }
  void copy_to(std::uint32_t address, std::span<const std::byte> from) override { write(address, from); }

  WaitResult wait_until(const WaitSpec& spec) override {
    const Ticks deadline = bus_.now + Nanoseconds{static_cast<std::int64_t>(spec.deadline_ns)};
    for (;;) {
      const std::uint16_t value = read16(spec.address);
      ++bus_.wait_reads;
      if ((value & spec.mask) == spec.expected) return {true, value};
      if (bus_.now >= deadline) return {false, value};
      if (spec.style == WaitStyle::ready_interrupt) {
        bus_.now = std::min(bus_.core.next_ready_edge(bus_.now), deadline);
      } else {
        bus_.now += Nanoseconds{static_cast<std::int64_t>(spec.poll_interval_ns)};
      }
    }
  }
  void delay_ns(std::uint64_t ns) override { bus_.now += Nanoseconds{static_cast<std::int64_t>(ns)}; }

 private:
  void read(std::uint32_t address, std::span<std::byte> into) {
    begin();
    end(window_.read(bus_.now, address, into));
  }
  void write(std::uint32_t address, std::span<const std::byte> from) {
    begin();
    end(window_.write(bus_.now, address, from));
  }
  void begin() {
    ++bus_.accesses;
    if (bus_.on_access) bus_.on_access();
  }
  void end(const hw::BusResult& result) {
    EXPECT_EQ(result.error, hw::BusError::none) << "an access that the card cannot answer";
    bus_.now += result.time;
  }

  CardBus& bus_;
  hw::AddressWindow& window_;
};

}  // namespace ftlab::test
