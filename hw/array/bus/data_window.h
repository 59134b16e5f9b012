// The data RAM of the controller: buffer slots, a page each, one behind the other. Plain bytes; 16-bit cycles only.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "hw/array/bus/access_meter.h"
#include "hw/array/bus/supply.h"
#include "hw/array/context.h"
#include "hw/base/address_window.h"

namespace ftlab::hw::array {

class DataWindow final : public AddressWindow {
 public:
  DataWindow(Context& device, AccessMeter& meter, const Supply& supply)
      : AddressWindow({.name = "data", .bytes = static_cast<std::uint32_t>(device.buffer.size()), .paced = false}),
        ram_(device.buffer),
        word_(device.spec.timing.word),
        meter_(meter),
        supply_(supply) {}

 private:
  BusResult read_cycle(Ticks now, std::uint32_t address, std::span<std::byte> into) override {
    return read_burst({.now = now, .address = address}, into);
  }
  BusResult write_cycle(Ticks now, std::uint32_t address, std::span<const std::byte> from) override {
    return write_burst({.now = now, .address = address}, from);
  }
  BusResult read_burst(const Burst& burst, std::span<std::byte> into) override {
    const Ticks time = word_ * static_cast<std::int64_t>(into.size() / 2);
    meter_.count(DeviceOpKind::array_read, burst.address, into.size(), burst.now, time);
    if (!supply_.on()) {
      std::fill(into.begin(), into.end(), std::byte{0xFF});
      return {time, BusError::none};
    }
    const std::size_t step = burst.repeat ? 2 : into.size();
    for (std::size_t i = 0; i < into.size(); i += step) std::memcpy(&into[i], &ram_[burst.address], step);
    return {time, BusError::none};
  }
  BusResult write_burst(const Burst& burst, std::span<const std::byte> from) override {
    const Ticks time = word_ * static_cast<std::int64_t>(from.size() / 2);
    meter_.count(DeviceOpKind::buffer_load, burst.address, from.size(), burst.now, time);
    if (!supply_.on()) return {time, BusError::none};
    const std::size_t step = burst.repeat ? 2 : from.size();
    for (std::size_t i = 0; i < from.size(); i += step) std::memcpy(&ram_[burst.address], &from[i], step);
    return {time, BusError::none};
  }

  std::span<std::byte> ram_;
  Ticks word_;
  AccessMeter& meter_;
  const Supply& supply_;
};

}  // namespace ftlab::hw::array
