// The windows of an array's controller as the ports of its driver, and a small array for them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "common/toml/toml_file.h"
#include "firmware/port/clock_port.h"
#include "firmware/port/mmio_port.h"
#include "hw/array/core.h"
#include "hw/array/spec/spec.h"

namespace ftlab::test {

/// Shared by the ports of the controller's two windows.
struct Bus {
  explicit Bus(const hw::ArraySpec& spec) : core(spec, {}) {}
  hw::ArrayCore core;
  Ticks now{};
  std::uint64_t bursts = 0;
};

class WindowPort final : public MmioPort {
 public:
  WindowPort(Bus& bus, hw::AddressWindow& window) : bus_(bus), window_(window) {}

  std::uint8_t read8(std::uint32_t) override {
    ADD_FAILURE() << "byte access";
    return 0;
  }
  void write8(std::uint32_t, std::uint8_t) override { ADD_FAILURE() << "byte access"; }
  std::uint16_t read16(std::uint32_t address) override {
    std::uint16_t value = 0;
    copy_from(address, std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  void write16(std::uint32_t address, std::uint16_t value) override {
    copy_to(address, std::as_bytes(std::span(&value, 1)));
  }
  void copy_from(std::uint32_t address, std::span<std::byte> into) override {
    end(window_.read(bus_.now, address, into));
  }
  void copy_to(std::uint32_t address, std::span<const std::byte> from) override {
    if (address == hw::array::kDescriptors) ++bus_.bursts;
    end(window_.write(bus_.now, address, from));
  }
  WaitResult wait_until(const WaitSpec& spec) override {
    const Ticks deadline = bus_.now + Nanoseconds{static_cast<std::int64_t>(spec.deadline_ns)};
    if (!bus_.core.line_level(bus_.now)) bus_.now = std::min(bus_.core.next_ready_edge(bus_.now), deadline);
    const std::uint16_t value = read16(spec.address);
    return {(value & spec.mask) == spec.expected, value};
  }
  void delay_ns(std::uint64_t ns) override { bus_.now += Nanoseconds{static_cast<std::int64_t>(ns)}; }

 private:
  void end(const hw::BusResult& result) {
    EXPECT_EQ(result.error, hw::BusError::none);
    bus_.now += result.time;
  }
  Bus& bus_;
  hw::AddressWindow& window_;
};

class BusClock final : public ClockPort {
 public:
  explicit BusClock(Bus& bus) : bus_(bus) {}
  std::uint64_t now_ns() override { return static_cast<std::uint64_t>(bus_.now / Nanoseconds{1}); }
  void sleep_until_ns(std::uint64_t) override { ADD_FAILURE() << "the driver waits for its line"; }

 private:
  Bus& bus_;
};

inline hw::ArraySpec array_part(const std::string& content, const std::string& name = "array-slc",
                                const char* protection = "false") {
  auto file = spec::TomlFile::load(std::string(FTLAB_PARTS_DIR) + "/" + name + ".toml");
  const std::pair<const char*, const char*> kSmall[] = {
      {"channels", "2"},  {"dies_per_channel", "2"},  {"planes", "1"},
      {"segments", "16"}, {"pages_per_segment", "8"}, {"bad_segments.initial_share", "0"}};
  for (const auto& [key, value] : kSmall) file.set(key, value, "test");
  file.set("content", content, "test");
  file.set("controller.power_loss_protection", protection, "test");
  return hw::load_array_spec(file);
}

}  // namespace ftlab::test
