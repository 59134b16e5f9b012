#include "platform/machine/core/semihosting.h"

#include <cstring>

namespace ftlab::platform {
namespace {

/// Of GDB's numbers of registers, and the code.
struct Convention {
  std::size_t operation;
  std::size_t argument;
  std::size_t pc;
  std::uint32_t bytes;  ///< of the instruction that stops
};

constexpr Convention kArm{.operation = 0, .argument = 1, .pc = 15, .bytes = 2};
constexpr Convention kRiscv{.operation = 10, .argument = 11, .pc = 32, .bytes = 4};

const Convention& convention_of(const ProgramMemory& memory) {
  return memory.machine() == iss::ElfMachine::arm ? kArm : kRiscv;
}

template <class Code>
bool lies_at(ProgramMemory& memory, std::uint32_t address, Code code) {
  const std::span<const std::uint8_t> bytes = memory.find(address, sizeof code);
  return bytes.size() == sizeof code && std::memcmp(bytes.data(), &code, sizeof code) == 0;
}

bool calls(ProgramMemory& memory, std::uint32_t pc) {
  constexpr std::uint16_t kBkptAb = 0xBEAB;
  if (memory.machine() == iss::ElfMachine::arm) return lies_at(memory, pc, kBkptAb);
  // slli x0, x0, 31; ebreak; srai x0, x0, 7
  constexpr std::uint32_t kBefore = 0x01F01013;
  constexpr std::uint32_t kEbreak = 0x00100073;
  constexpr std::uint32_t kBehind = 0x40705013;
  return lies_at(memory, pc, kEbreak) && lies_at(memory, pc - sizeof kBefore, kBefore) &&
         lies_at(memory, pc + sizeof kEbreak, kBehind);
}

}  // namespace

std::optional<SemihostingCall> semihosting_call(const TargetCore& core, ProgramMemory& memory) {
  if (!calls(memory, core.pc())) return std::nullopt;
  const Convention& convention = convention_of(memory);
  return SemihostingCall{core.gdb_register(convention.operation), core.gdb_register(convention.argument)};
}

void answer_semihosting(TargetCore& core, ProgramMemory& memory) {
  const Convention& convention = convention_of(memory);
  core.set_gdb_register(convention.operation, 0);
  core.set_gdb_register(convention.pc, core.pc() + convention.bytes);
}

}  // namespace ftlab::platform
