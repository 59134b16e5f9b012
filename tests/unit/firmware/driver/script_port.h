// A window whose every access is written down, with answers laid out beforehand: for tests of exact sequences.
// Knows no card: a cell gives its queued values in turn, the last one for ever.
#pragma once

#include <cstdio>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "firmware/port/mmio_port.h"
#include "firmware/port/probe_port.h"

namespace ftlab::test {

/// The segment that tests of sequences work on, and where its status registers answer.
inline constexpr std::uint32_t kBase = 0x20000;
inline constexpr std::uint32_t kBsr = kBase + 4;
inline constexpr std::uint32_t kGsr = kBase + 8;

class ScriptPort final : public MmioPort {
 public:
  /// "W 000200 E0E0", "R 000008", "w 000201 40" (8 bits), "r ...", "B 000200 512" (burst out), "b ..." (in),
  /// "I 000004 8080" (wait by interrupt for the mask), "S ..." (sleeping), "P ..." (spinning).
  std::vector<std::string> log;
  std::vector<WaitSpec> waits;
  std::map<std::uint32_t, std::deque<std::uint16_t>> cells;

  std::uint8_t read8(std::uint32_t address) override {
    note("r", address);
    const std::uint16_t cell = next(address & ~1U);
    return static_cast<std::uint8_t>((address & 1U) != 0 ? cell >> 8 : cell & 0xFFU);
  }
  void write8(std::uint32_t address, std::uint8_t value) override { note("w", address, value, 2); }
  std::uint16_t read16(std::uint32_t address) override {
    note("R", address);
    return next(address);
  }
  void write16(std::uint32_t address, std::uint16_t value) override { note("W", address, value, 4); }
  void copy_from(std::uint32_t address, std::span<std::byte> into) override {
    note("b", address, static_cast<unsigned>(into.size()));
    for (std::byte& byte : into) byte = std::byte{0x5A};
  }
  void copy_to(std::uint32_t address, std::span<const std::byte> from) override {
    note("B", address, static_cast<unsigned>(from.size()));
  }
  WaitResult wait_until(const WaitSpec& spec) override {
    const char* style = spec.style == WaitStyle::spin ? "P" : spec.style == WaitStyle::sleep ? "S" : "I";
    note(style, spec.address, spec.mask, 4);
    waits.push_back(spec);
    constexpr int kPatience = 16;
    std::uint16_t value = 0;
    for (int i = 0; i < kPatience; ++i) {
      value = next(spec.address);
      if ((value & spec.mask) == spec.expected) return {true, value};
    }
    return {false, value};
  }
  void delay_ns(std::uint64_t ns) override { log.push_back("D " + std::to_string(ns)); }

 private:
  std::uint16_t next(std::uint32_t address) {
    std::deque<std::uint16_t>& queue = cells[address];
    if (queue.empty()) return 0xFFFF;
    const std::uint16_t value = queue.front();
    if (queue.size() > 1) queue.pop_front();
    return value;
  }
  void note(const char* what, std::uint32_t address) {
    char line[32];
    std::snprintf(line, sizeof line, "%s %06X", what, static_cast<unsigned>(address));
    log.emplace_back(line);
  }
  void note(const char* what, std::uint32_t address, unsigned value, int digits) {
    char line[32];
    std::snprintf(line, sizeof line, "%s %06X %0*X", what, static_cast<unsigned>(address), digits, value);
    log.emplace_back(line);
  }
  void note(const char* what, std::uint32_t address, unsigned bytes) {
    char line[32];
    std::snprintf(line, sizeof line, "%s %06X %u", what, static_cast<unsigned>(address), bytes);
    log.emplace_back(line);
  }
};

}  // namespace ftlab::test
