// A Flex-OneNAND on a bus, for tests: the sheet's sequences as a driver would make them, a clock, and a record of what
// the observer saw.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/toml/toml_file.h"
#include "hw/base/energy.h"
#include "hw/onenand/core.h"
#include "hw/onenand/spec/spec.h"
#include "hw/regs/onenand_regs.h"
#include "tests/device/recorder.h"

namespace ftlab::hw::testing {

namespace regs = flexonenand;
namespace reg = flexonenand::reg;
namespace command = flexonenand::command;
namespace status = flexonenand::status;
namespace interrupt = flexonenand::interrupt;

using Overrides = std::vector<std::pair<std::string, std::string>>;

inline OneNandSpec onenand_part(const std::string& name = "flexonenand-4gb", const Overrides& overrides = {}) {
  auto file = spec::TomlFile::load(std::string(FTLAB_PART_DIR) + "/" + name + ".toml");
  for (const auto& [key, value] : overrides) file.set(key, value, "test");
  return load_onenand_spec(file);
}

/// Without chance: no bad or weak segments, no bit errors, limits exactly at the rated cycles.
inline Overrides ideal() {
  return {{"bad_segments.reserve", "0"},
          {"errors.base", "0"},
          {"errors.wear", "0"},
          {"errors.disturb", "0"},
          {"endurance.median_ratio", "1"}};
}

class OneNandFixture {
 public:
  using Bytes = std::vector<std::byte>;

  explicit OneNandFixture(const OneNandSpec& spec = onenand_part("flexonenand-4gb", ideal()), std::uint64_t seed = 1,
                          bool store_content = true)
      : core(spec, {seed, store_content, &observer, true}) {
    now = Ticks{1'000'000};
    for (std::uint32_t die = 0; die < spec.dies; ++die) {
      select(die * spec.segments_per_die, 0);
      run(command::kUnlockAll);
    }
    select(0, 0);
    observer = Recorder{};
  }

  void write16(std::uint32_t address, std::uint16_t value) {
    const std::byte bytes[2] = {static_cast<std::byte>(value & 0xFF), static_cast<std::byte>(value >> 8)};
    advance(core.bus().write(now, address, bytes));
  }
  std::uint16_t read16(std::uint32_t address) {
    std::byte bytes[2];
    advance(core.bus().read(now, address, bytes));
    return word(bytes);
  }
  std::uint16_t status_word() { return read16(reg::kControllerStatus); }
  std::uint16_t int_word() { return read16(reg::kInterrupt); }
  [[nodiscard]] bool failed() { return (status_word() & status::kError) != 0; }

  /// Addresses of a page; segments count over dies.
  void select(std::uint32_t segment, std::uint32_t page) {
    const std::uint32_t n = core.spec().segments_per_die;
    const auto die = static_cast<std::uint16_t>(segment / n << 15);
    write16(reg::kStartAddress1, static_cast<std::uint16_t>(die | segment % n));
    write16(reg::kStartAddress2, die);
    write16(reg::kStartAddress8, static_cast<std::uint16_t>(page << 2));
    write16(reg::kStartBuffer, regs::kStartBufferPage);
  }
  void give(std::uint16_t code) { write16(reg::kCommand, code); }
  /// Moves the clock to the end of what is under way on the selected die.
  void wait() {
    while ((int_word() & interrupt::kInt) == 0) {
      const Ticks next = core.next_status_change(now);
      ASSERT_NE(next, kNever) << "nothing will end";
      now = next;
    }
  }
  /// Command, wait; true when it succeeded.
  bool run(std::uint16_t code) {
    give(code);
    wait();
    return !failed();
  }
  bool load(std::uint32_t segment, std::uint32_t page, std::uint16_t code = command::kLoad) {
    select(segment, page);
    return run(code);
  }
  void fill(const Bytes& main, const Bytes& spare = Bytes(regs::kSpareBytes, std::byte{0xFF})) {
    advance(core.bus().write(now, regs::area::kDataRam, main));
    advance(core.bus().write(now, regs::area::kDataSpare, spare));
  }
  bool program(std::uint32_t segment, std::uint32_t page, const Bytes& main, std::uint16_t code = command::kProgram) {
    select(segment, page);
    fill(main);
    return run(code);
  }
  bool program(std::uint32_t segment, std::uint32_t page) { return program(segment, page, pattern(page)); }
  bool erase(std::uint32_t segment) {
    select(segment, 0);
    return run(command::kErase);
  }
  Bytes data() { return burst(regs::area::kDataRam, regs::kPageBytes); }
  Bytes spare() { return burst(regs::area::kDataSpare, regs::kSpareBytes); }
  Bytes burst(std::uint32_t address, std::size_t size) {
    Bytes bytes(size);
    advance(core.bus().read(now, address, bytes));
    return bytes;
  }
  void configure(std::uint16_t config) { write16(reg::kSystemConfig1, config); }
  void ecc_off() { configure(regs::config::kDefault | regs::config::kEccOff); }
  void ecc_on() { configure(regs::config::kDefault); }

  static Bytes pattern(std::uint32_t seed) {
    Bytes bytes(regs::kPageBytes);
    std::uint32_t x = seed + 7;
    for (std::byte& byte : bytes) {
      x = x * 1664525 + 1013904223;
      byte = static_cast<std::byte>(x >> 24);
    }
    return bytes;
  }
  Bytes peek(std::uint32_t segment, std::uint32_t page) const {
    Bytes bytes(regs::kPageBytes);
    core.peek(std::uint64_t{segment} * OneNandSpec::kSegmentBytes + page * regs::kPageBytes, bytes);
    return bytes;
  }

  Recorder observer;
  OneNandCore core;
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

}  // namespace ftlab::hw::testing
