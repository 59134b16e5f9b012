// Instructions as rows of a table: assembler text, its code, the state before and after. What a row does not name is as
// it was. Knows no instruction.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "platform/machine/iss/arm/cortex_m.h"
#include "platform/machine/iss/arm/undefined.h"

namespace ftlab::iss::arm {

/// States are words such as "r1=80000000 sp=20001000 f=NzcvQ ge=5 [20000104]=12345678": hexadecimal numbers, flags that
/// are set as capital letters, words of memory.
struct Row {
  const char* text;
  std::vector<std::uint16_t> code;
  const char* before;
  const char* after;

  friend void PrintTo(const Row& row, std::ostream* out) { *out << row.text; }
};

/// A core and memory in a state that is known everywhere.
class RowMachine {
 public:
  static constexpr std::uint32_t kCode = 0x1000;
  static constexpr std::uint32_t kData = 0x20000000;

  explicit RowMachine(Model model);

  void put(const std::vector<std::uint16_t>& code);
  void set(const std::string& state);
  /// As in Row; what `state` does not name is checked as well. `pc` is behind the code unless it is named.
  void expect(const std::string& state, std::uint32_t pc);
  CoreStop run(std::uint64_t instructions) { return core.run(instructions); }

  struct : Bus {
    bool read(std::uint32_t, unsigned, std::uint32_t&) override { return false; }
    bool write(std::uint32_t, unsigned, std::uint32_t) override { return false; }
  } nothing;
  alignas(4) std::array<std::uint8_t, 0x2000> flash{};
  alignas(4) std::array<std::uint8_t, 0x1000> ram{};
  CortexM core;

 private:
  void apply(const std::string& name, const std::string& value);
  std::uint32_t word(std::uint32_t address) const;

  std::map<std::string, std::uint32_t> state_;
};

/// How many instructions the text has.
std::uint64_t count_of(const std::string& text);

/// Each row by itself.
void check_rows(const std::vector<Row>& rows, Model model);
/// Each row is undefined: a UsageFault that stops at the instruction.
void check_refused(const std::vector<Row>& rows, Model model, const char* why);

}  // namespace ftlab::iss::arm
