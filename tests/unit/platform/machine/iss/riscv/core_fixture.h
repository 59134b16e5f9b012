// A core with ROM, RAM and a bus that notes what it is asked.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "platform/machine/iss/riscv/riscv_core.h"
#include "tests/unit/platform/machine/iss/riscv/assembler.h"

namespace ftlab::iss::riscv {

constexpr std::uint32_t kRom = 0x1000;
constexpr std::uint32_t kRam = 0x20000000;
constexpr std::uint32_t kMemoryBytes = 4096;
constexpr std::uint32_t kData = 0x30000000;     ///< RAM in which nothing is executed
constexpr std::uint32_t kDevice = 0x40000000;   ///< answers
constexpr std::uint32_t kNothing = 0x50000000;  ///< bus errors
constexpr std::uint32_t kHandler = kRom + 0x800;

class NotingBus final : public Bus {
 public:
  std::vector<std::string> accesses;
  std::uint32_t value = 0;                  ///< what is read
  std::function<void()> on_access = [] {};  ///< called first

  bool read(std::uint32_t address, unsigned size, std::uint32_t& read) override {
    on_access();
    accesses.push_back("read " + text(address, size));
    read = size == 4 ? value : value & ((1U << 8 * size) - 1);
    return address >> 28 == kDevice >> 28;
  }
  bool write(std::uint32_t address, unsigned size, std::uint32_t written) override {
    on_access();
    accesses.push_back("write " + text(address, size) + " " + hex(written));
    return address >> 28 == kDevice >> 28;
  }

 private:
  static std::string hex(std::uint32_t number) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%x", number);
    return text.data();
  }
  static std::string text(std::uint32_t address, unsigned size) { return hex(address) + " " + std::to_string(size); }
};

class CoreTest : public ::testing::Test {
 protected:
  using Code = assembler::Code;

  CoreTest() { configure({.reset_pc = kRom}); }

  void configure(const RiscvConfig& config) {
    core = std::make_unique<RiscvCore>(config,
                                       std::vector<MemoryRegion>{{kRom, kMemoryBytes, rom.data(), false, true},
                                                                 {kRam, kMemoryBytes, ram.data(), true, true},
                                                                 {kData, kMemoryBytes, data.data(), true, false}},
                                       bus);
  }

  /// Places instructions of 32 bits.
  void place(std::uint32_t at, std::initializer_list<Code> codes) {
    for (const Code code : codes) {
      place_half(at, code & 0xffff);
      place_half(at + 2, code >> 16);
      at += 4;
    }
  }
  void place_half(std::uint32_t at, std::uint32_t half) {
    const auto value = static_cast<std::uint16_t>(half);
    std::memcpy(at >= kRam ? ram.data() + (at - kRam) : rom.data() + (at - kRom), &value, sizeof value);
  }
  std::uint32_t ram_word(std::uint32_t offset) const {
    std::uint32_t word = 0;
    std::memcpy(&word, ram.data() + offset, sizeof word);
    return word;
  }
  void set_ram_word(std::uint32_t offset, std::uint32_t word) { std::memcpy(ram.data() + offset, &word, sizeof word); }

  /// Executes these instructions from the reset address, all of them as they follow each other.
  void execute(std::initializer_list<Code> codes) {
    place(kRom, codes);
    core->set_pc(kRom);
    core->code_changed(kRom, kMemoryBytes);
    const CoreStop stop = core->run(codes.size());
    ASSERT_EQ(stop.reason, StopReason::budget) << name_of(stop.reason);
  }

  std::uint32_t x(unsigned number) const { return core->reg(number); }
  void set_x(unsigned number, std::uint32_t value) { core->set_reg(number, value); }
  std::uint32_t csr_value(std::uint32_t number) const { return core->reg(65 + number); }
  void set_csr(std::uint32_t number, std::uint32_t value) { core->set_reg(65 + number, value); }

  alignas(4) std::array<std::uint8_t, kMemoryBytes> rom{};
  alignas(4) std::array<std::uint8_t, kMemoryBytes> ram{};
  alignas(4) std::array<std::uint8_t, kMemoryBytes> data{};
  NotingBus bus;
  std::unique_ptr<RiscvCore> core;
};

}  // namespace ftlab::iss::riscv
