// The driver's window onto a OneNandCore, with a clock of its own: a host that takes at least its bus cycle for every
// word, and whose interrupts and firmware work take the time that is set. Knows no SystemC.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>

#include "common/units.h"
#include "firmware/port/mmio_port.h"
#include "firmware/port/probe_port.h"
#include "hw/onenand/core.h"

namespace ftlab::test {

struct OneNandHost {
  Ticks read_cycle{};
  Ticks write_cycle{};
  Ticks interrupt_latency{};
  std::array<Ticks, kWorkKinds> work{};
};

class OneNandPort final : public MmioPort, public ProbePort {
 public:
  Ticks now{};
  OneNandHost host{};
  std::uint64_t accesses = 0;  ///< transactions; a burst counts once
  std::map<Work, std::uint32_t> counts;
  std::function<void()> on_access{};  ///< called before each access: faults are injected here

  explicit OneNandPort(hw::OneNandCore& core) : core_(core) {}

  std::uint8_t read8(std::uint32_t address) override {
    ADD_FAILURE() << "byte access at " << address << " of a part that has 16-bit cycles only";
    return 0;
  }
  void write8(std::uint32_t address, std::uint8_t) override { read8(address); }
  std::uint16_t read16(std::uint32_t address) override {
    std::byte value[2];
    copy_from(address, value);
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(value[0]) | (std::to_integer<unsigned>(value[1]) << 8));
  }
  void write16(std::uint32_t address, std::uint16_t value) override {
    const std::byte bytes[2] = {std::byte(value & 0xFFU), std::byte(value >> 8)};
    copy_to(address, bytes);
  }
  void copy_from(std::uint32_t address, std::span<std::byte> into) override {
    begin();
    end(core_.bus().read(now, address, into), host.read_cycle, into.size());
  }
  void copy_to(std::uint32_t address, std::span<const std::byte> from) override {
    begin();
    end(core_.bus().write(now, address, from), host.write_cycle, from.size());
  }

  WaitResult wait_until(const WaitSpec& spec) override {
    const Ticks deadline = now + Nanoseconds{static_cast<std::int64_t>(spec.deadline_ns)};
    for (;;) {
      const Ticks sampled = now;
      const std::uint16_t value = read16(spec.address);
      if ((value & spec.mask) == spec.expected) return {true, value};
      if (now >= deadline) return {false, value};
      if (spec.style == WaitStyle::ready_interrupt) {
        now = std::max(now, std::min(core_.next_ready_edge(sampled), deadline)) + host.interrupt_latency;
      } else {
        now += Nanoseconds{static_cast<std::int64_t>(spec.poll_interval_ns)};
      }
    }
  }
  void delay_ns(std::uint64_t ns) override { now += Nanoseconds{static_cast<std::int64_t>(ns)}; }

  Cause set_cause(Cause cause) override { return cause; }
  [[nodiscard]] Cause cause() const override { return Cause::host; }
  void count(Work kind, std::uint32_t n) override {
    counts[kind] += n;
    now += host.work[static_cast<std::size_t>(kind)] * static_cast<std::int64_t>(n);
  }

 private:
  void begin() {
    ++accesses;
    if (on_access) on_access();
  }
  void end(const hw::BusResult& result, Ticks cycle, std::size_t bytes) {
    EXPECT_EQ(result.error, hw::BusError::none) << "an access that the part cannot answer";
    now += std::max(result.time, cycle * static_cast<std::int64_t>(bytes / 2));
  }

  hw::OneNandCore& core_;
};

}  // namespace ftlab::test
