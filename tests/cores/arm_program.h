// Programs of random instructions that an ARMv7-M core can execute without a fault, made by executing them. Knows
// encodings by the decoder's tables; what an instruction does is for two emulators to agree on.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "platform/machine/iss/arm/cortex_m.h"

namespace ftlab::tests {

/// A core with a little memory for code and data.
class Playground {
 public:
  static constexpr std::uint32_t kCode = 0x00010000, kCodeBytes = 1U << 20;
  static constexpr std::uint32_t kData = 0x20000000, kDataBytes = 0x1000;
  /// A program has a place of its own, because the other emulator does not see code change.
  static constexpr std::uint32_t kProgramBytes = 0x1000;
  /// R0 to PC, xPSR.
  using State = std::array<std::uint32_t, 17>;

  Playground();

  [[nodiscard]] State state() const;
  void set_state(const State& state);
  void write_code(std::uint32_t address, std::uint32_t value, unsigned size);

  std::vector<std::uint8_t> code = std::vector<std::uint8_t>(kCodeBytes);
  std::vector<std::uint8_t> data = std::vector<std::uint8_t>(kDataBytes);
  struct : iss::Bus {
    bool read(std::uint32_t, unsigned, std::uint32_t&) override { return false; }
    bool write(std::uint32_t, unsigned, std::uint32_t) override { return false; }
  } nothing;
  iss::arm::CortexM core;
};

struct ArmProgram {
  Playground::State before{};
  std::vector<std::uint8_t> data;
  std::uint32_t end = 0;           ///< PC behind the last instruction
  std::uint64_t instructions = 0;  ///< executed on the way there
  std::vector<std::uint32_t> codes;

  /// The state before, and the data.
  void begin(Playground& playground) const;
  /// As it was made, one instruction after the other. false: it ends elsewhere, for a load has seen code that was
  /// written later.
  bool repeat(Playground& playground) const;
};

/// In the playground's memory, which keeps the code, at place `number` of it; jumps lead forwards.
ArmProgram make_arm_program(Playground& playground, std::uint64_t number, std::uint64_t seed);

}  // namespace ftlab::tests
