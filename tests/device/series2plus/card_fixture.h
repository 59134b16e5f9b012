// A card on a bus, for tests: cycles as a driver would make them, a clock, and a record of what the observer saw.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/toml/toml_file.h"
#include "hw/base/energy.h"
#include "hw/regs/series2plus_regs.h"
#include "hw/series2plus/core.h"
#include "hw/series2plus/spec/spec.h"
#include "tests/device/recorder.h"

namespace ftlab::hw::testing {

namespace regs = series2plus;
namespace command = series2plus::command;

inline CardSpec part_spec(const std::string& name, Voltage vcc = Voltage::v5) {
  auto file = spec::TomlFile::load(std::string(FTLAB_PART_DIR) + "/" + name + ".toml");
  return load_card_spec(file, vcc);
}

/// The same value from the two components of a pair.
constexpr std::uint16_t both(std::uint8_t value) { return regs::doubled(value); }

/// Two component pairs of 32 segments each unless another part is asked for.
class CardFixture {
 public:
  static constexpr std::uint32_t kSegment = 128 * 1024;
  static constexpr std::uint32_t kPair = 32 * kSegment;

  explicit CardFixture(const CardSpec& spec = part_spec("series2plus-8mb"), bool vpp = true, std::uint64_t seed = 1)
      : core(spec, {seed, true, &observer, true}) {
    core.set_vpp_pin(now, vpp);
    now = Ticks{1'000'000};
  }

  // Cycles; the clock moves by the card's own cycle time.
  void write16(std::uint32_t address, std::uint16_t value) {
    const std::byte bytes[2] = {static_cast<std::byte>(value & 0xFF), static_cast<std::byte>(value >> 8)};
    advance(core.common().write(now, address, bytes));
  }
  void write8(std::uint32_t address, std::uint8_t value) {
    const std::byte byte{value};
    advance(core.common().write(now, address, {&byte, 1}));
  }
  std::uint16_t read16(std::uint32_t address) {
    std::byte bytes[2];
    advance(core.common().read(now, address, bytes));
    return word(bytes);
  }
  std::uint8_t read8(std::uint32_t address) {
    std::byte byte{};
    advance(core.common().read(now, address, {&byte, 1}));
    return std::to_integer<std::uint8_t>(byte);
  }
  void burst(std::uint32_t address, std::span<const std::byte> data) {
    advance(core.common().write(now, address, data));
  }
  std::uint8_t attribute(std::uint32_t address) {
    std::byte byte{};
    advance(core.attribute().read(now, address, {&byte, 1}));
    return std::to_integer<std::uint8_t>(byte);
  }
  void set_attribute(std::uint32_t address, std::uint8_t value) {
    const std::byte byte{value};
    advance(core.attribute().write(now, address, {&byte, 1}));
  }

  /// The same command to both components.
  void command(std::uint32_t address, std::uint8_t code) { write16(address, regs::doubled(code)); }
  std::uint16_t csr(std::uint32_t address) {
    command(address, command::kReadCsr);
    return read16(address);
  }
  std::uint16_t gsr(std::uint32_t segment) {
    command(segment, command::kReadExtendedStatus);
    return read16(segment + regs::offset::kGsr);
  }
  std::uint16_t bsr(std::uint32_t segment) {
    command(segment, command::kReadExtendedStatus);
    return read16(segment + regs::offset::kBsr);
  }
  void read_array(std::uint32_t address) { command(address, command::kReadArray); }

  // Sequences of the data sheet.
  void erase(std::uint32_t segment) {
    command(segment, command::kErase);
    command(segment, command::kConfirm);
  }
  void program_word(std::uint32_t address, std::uint16_t data) {
    command(address, command::kProgram);
    write16(address, data);
  }
  void count(std::uint32_t address, std::uint32_t bytes_per_component) {
    const auto low = regs::doubled(static_cast<std::uint8_t>(bytes_per_component - 1));
    const bool low_first = (address & 2) == 0;
    write16(address, low_first ? low : 0);
    write16(address, low_first ? 0 : low);
  }
  void load(std::uint32_t address, std::span<const std::byte> data) {
    command(address, command::kSequentialLoad);
    count(address, static_cast<std::uint32_t>(data.size() / 2));
    burst(address, data);
  }
  void write_buffer(std::uint32_t address, std::uint32_t bytes) {
    command(address, command::kPageBufferWrite);
    count(address, bytes / 2);
  }
  void page_program(std::uint32_t address, std::span<const std::byte> data) {
    load(address, data);
    write_buffer(address, static_cast<std::uint32_t>(data.size()));
  }
  void wait_ready() {
    const Ticks edge = core.next_ready_edge(now);
    ASSERT_NE(edge, kNever);
    now = edge;
  }
  void finish() {
    wait_ready();
    core.advance_to(now);
  }

  std::vector<std::byte> peek(std::uint32_t address, std::size_t size) const {
    std::vector<std::byte> data(size);
    core.peek(address, data);
    return data;
  }
  std::uint16_t peek16(std::uint32_t address) const { return word(peek(address, 2).data()); }
  void poke16(std::uint32_t address, std::uint16_t value) {
    const std::byte bytes[2] = {static_cast<std::byte>(value & 0xFF), static_cast<std::byte>(value >> 8)};
    core.poke(address, bytes);
  }

  Recorder observer;
  CardCore core;
  Ticks now{};

 private:
  static std::uint16_t word(const std::byte* bytes) {
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[0]) | std::to_integer<unsigned>(bytes[1]) << 8);
  }
  void advance(const BusResult& result) {
    ASSERT_EQ(result.error, BusError::none);
    now += result.time;
  }
};

inline std::vector<std::byte> pattern(std::size_t size, std::uint32_t seed = 7) {
  std::vector<std::byte> data(size);
  std::uint32_t x = seed;
  for (std::byte& byte : data) {
    x = x * 1664525 + 1013904223;
    byte = static_cast<std::byte>(x >> 24);
  }
  return data;
}

inline constexpr std::uint32_t kSegment = CardFixture::kSegment;

}  // namespace ftlab::hw::testing
