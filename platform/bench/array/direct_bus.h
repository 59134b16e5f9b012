// The controller of an array called straight, without SystemC and without a model of the processor: what a simulator
// without a bus would do. Time passes by the device's own cycles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "firmware/port/clock_port.h"
#include "firmware/port/mmio_port.h"
#include "hw/array/core.h"

namespace ftlab::platform {

class DirectBus final : public MmioPort, public ClockPort {
 public:
  explicit DirectBus(hw::ArrayCore& core) : core_(core), window_(core.common()) {}

  std::uint8_t read8(std::uint32_t) override { throw std::logic_error("an array has no 8-bit cycles"); }
  void write8(std::uint32_t, std::uint8_t) override { throw std::logic_error("an array has no 8-bit cycles"); }
  std::uint16_t read16(std::uint32_t address) override {
    std::uint16_t value = 0;
    copy_from(address, std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  void write16(std::uint32_t address, std::uint16_t value) override {
    copy_to(address, std::as_bytes(std::span(&value, 1)));
  }
  void copy_from(std::uint32_t address, std::span<std::byte> into) override { end(window_.read(now_, address, into)); }
  void copy_to(std::uint32_t address, std::span<const std::byte> from) override {
    end(window_.write(now_, address, from));
  }
  WaitResult wait_until(const WaitSpec& spec) override {
    for (;;) {
      const std::uint16_t value = read16(spec.address);
      if ((value & spec.mask) == spec.expected) return {true, value};
      now_ = core_.next_ready_edge(now_);
      if (now_ == kNever) throw std::logic_error("the line never rises");
    }
  }
  void delay_ns(std::uint64_t ns) override { now_ += from_ns(ns); }
  std::uint64_t now_ns() override { return to_ns(now_); }
  void sleep_until_ns(std::uint64_t) override { throw std::logic_error("the driver waits for its line"); }

 private:
  void end(const hw::BusResult& result) {
    if (result.error != hw::BusError::none) throw std::logic_error("illegal access");
    now_ += result.time;
  }

  hw::ArrayCore& core_;
  hw::AddressWindow& window_;
  Ticks now_{};
};

}  // namespace ftlab::platform
