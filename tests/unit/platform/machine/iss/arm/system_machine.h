// A core with vectors, handlers, a device, and registers of the system that can be read and written.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "platform/machine/iss/arm/cortex_m.h"

namespace ftlab::iss::arm {

/// Assembler text and its code.
struct Code {
  const char* text;
  std::vector<std::uint16_t> code;
};

class SystemMachine : public Bus {
 public:
  static constexpr std::uint32_t kMain = 0x3000;  ///< where the program begins
  static constexpr std::uint32_t kFlashBytes = 0x4000;
  static constexpr std::uint32_t kRam = 0x20000000;
  static constexpr std::uint32_t kStack = kRam + 0x800;
  static constexpr std::uint32_t kData = 0x30000000;  ///< RAM in which nothing is executed
  static constexpr std::uint32_t kDataBytes = 0x1000;
  static constexpr std::uint32_t kDevice = 0x40000000;

  explicit SystemMachine(const CortexMConfig& config = {})
      : core(config,
             {{0, kFlashBytes, flash.data(), false, true},
              {kRam, 0x1000, ram.data(), true, true},
              {kData, kDataBytes, data.data(), true, false}},
             *this) {
    set_word(0, kStack);
    set_word(4, kMain | 1);
    for (unsigned number = 2; number < 48; ++number) {
      set_word(4 * number, handler(number) | 1);
      put(handler(number), {"bx lr", {0x4770}});
    }
    core.reset();
  }

  static std::uint32_t handler(unsigned exception) { return 0x100 * exception; }
  static std::uint32_t interrupt(unsigned line) { return handler(kFirstInterrupt + line); }

  void put(std::uint32_t address, const Code& code) {
    std::memcpy(bytes_at(address), code.code.data(), code.code.size() * 2);
    core.code_changed(address, static_cast<std::uint32_t>(code.code.size()) * 2);
  }
  void main(const Code& code) { put(kMain, code); }
  void set_word(std::uint32_t address, std::uint32_t value) { std::memcpy(bytes_at(address), &value, sizeof value); }
  [[nodiscard]] std::uint32_t word(std::uint32_t address) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes_at(address), sizeof value);
    return value;
  }
  [[nodiscard]] std::uint32_t ipsr() const { return core.reg(16) & 0x1FF; }

  /// By an instruction of its own, as what is being executed may.
  void write(std::uint32_t address, std::uint32_t value) { access({"str r1, [r0]", {0x6001}}, address, value); }
  std::uint32_t read(std::uint32_t address) { return access({"ldr r1, [r0]", {0x6801}}, address, 0); }
  void write_byte(std::uint32_t address, std::uint32_t value) { access({"strb r1, [r0]", {0x7001}}, address, value); }
  std::uint32_t read_half(std::uint32_t address) { return access({"ldrh r1, [r0]", {0x8801}}, address, 0); }

  bool read(std::uint32_t address, unsigned, std::uint32_t& value) override {
    value = 0x5A;
    accesses.push_back(address);
    return address >> 28 == 4 && (!on_access || (on_access(), true));
  }
  bool write(std::uint32_t address, unsigned, std::uint32_t) override {
    accesses.push_back(address);
    return address >> 28 == 4 && (!on_access || (on_access(), true));
  }

  std::function<void()> on_access;
  std::vector<std::uint32_t> accesses;
  alignas(4) std::array<std::uint8_t, kFlashBytes> flash{};
  alignas(4) std::array<std::uint8_t, 0x1000> ram{};
  alignas(4) std::array<std::uint8_t, kDataBytes> data{};
  CortexM core;

 private:
  static constexpr std::uint32_t kScratchCode = 0x3F00;

  std::uint8_t* bytes_at(std::uint32_t address) {
    if (address >= kData) return &data[address - kData];
    return address < kRam ? &flash[address] : &ram[address - kRam];
  }

  std::uint32_t access(const Code& code, std::uint32_t address, std::uint32_t value) {
    const std::uint32_t pc = core.pc();
    const std::uint32_t r0 = core.reg(0);
    const std::uint32_t r1 = core.reg(1);
    put(kScratchCode, code);
    core.set_pc(kScratchCode);
    core.set_reg(0, address);
    core.set_reg(1, value);
    EXPECT_EQ(core.run(1).reason, StopReason::budget);
    EXPECT_EQ(core.pc(), kScratchCode + 2) << "something has interrupted the access";
    const std::uint32_t result = core.reg(1);
    core.set_reg(0, r0);
    core.set_reg(1, r1);
    core.set_pc(pc);
    return result;
  }
};

// Registers of the system.
constexpr std::uint32_t kIctr = 0xE000E004, kSystCsr = 0xE000E010, kSystRvr = 0xE000E014, kSystCvr = 0xE000E018,
                        kIser = 0xE000E100, kIcer = 0xE000E180, kIspr = 0xE000E200, kIcpr = 0xE000E280,
                        kIabr = 0xE000E300, kIpr = 0xE000E400, kCpuid = 0xE000ED00, kIcsr = 0xE000ED04,
                        kVtor = 0xE000ED08, kAircr = 0xE000ED0C, kScr = 0xE000ED10, kCcr = 0xE000ED14,
                        kShpr = 0xE000ED18, kShcsr = 0xE000ED24, kCfsr = 0xE000ED28, kHfsr = 0xE000ED2C,
                        kBfar = 0xE000ED38, kStir = 0xE000EF00;
constexpr std::uint32_t kMemFaultEna = 1U << 16, kBusFaultEna = 1U << 17, kUsgFaultEna = 1U << 18;

}  // namespace ftlab::iss::arm
