#include "tests/cores/arm_program.h"

#include <cstring>

#include "platform/machine/iss/arm/decoder.h"
#include "tests/cores/dice.h"

namespace ftlab::tests {
namespace {

using namespace iss::arm;

constexpr std::uint16_t kBkpt = 0xBE00;  // where no instruction has been put

std::vector<Encoding> all_encodings() {
  std::vector<Encoding> all;
  for (const auto encodings :
       {narrow_encodings, data_encodings, memory_encodings, multiply_encodings, control_encodings}) {
    all.insert(all.end(), encodings().begin(), encodings().end());
  }
  return all;
}
bool is_narrow(const Encoding& encoding) { return encoding.pattern.mask >> 16 == 0; }

// What the referee has no model of, or another one that the architecture allows as well.
bool is_comparable(std::uint32_t code, unsigned size, std::uint8_t it) {
  constexpr std::uint32_t kYield = 0xBF10, kWideYield = 0xF3AF8001;  // the referee ends there
  if (code == kYield || code == kWideYield) {
    return false;
  }
  // A barrier makes it forget that it is in an IT block.
  if (code >> 8 == 0xF3BF8F && (it & 0xF) != 0) {
    return false;
  }
  std::vector<Op> steps;
  Decoder decoder(steps, 0, it, true);
  decoder.decode(code, size);
  for (const Op& op : steps) {
    switch (op.code) {
      case OpCode::mrs:
      case OpCode::msr:
        if (op.imm != 0) {
          return false;
        }
        break;
      case OpCode::cps:
      case OpCode::svc:
      case OpCode::bkpt:
      case OpCode::wfi:
      case OpCode::wfe:
      case OpCode::sev:
      case OpCode::undefined:
      case OpCode::coprocessor:
      case OpCode::ldrex:
      case OpCode::ldrexh:
      case OpCode::ldrexb:
      case OpCode::align_sp:
        return false;
      default:
        break;
    }
  }
  return true;
}

constexpr unsigned kInstructions = 16;

std::uint32_t value_of(unsigned number, Dice& dice) {
  const std::uint32_t pointer = Playground::kData + Playground::kDataBytes / 4 + dice.below(Playground::kDataBytes / 2);
  if (number == kSp) {
    return pointer & ~3U;
  }
  switch (dice.below(6)) {
    case 0:
      return pointer;
    case 1:
    case 2:
      return pointer & ~3U;
    case 3:
      return dice.below(64);
    default:
      return dice.operand();
  }
}

class Maker {
 public:
  Maker(Playground& playground, std::uint64_t number, std::uint64_t seed)
      : playground_(playground),
        start_(Playground::kCode + static_cast<std::uint32_t>(number) * Playground::kProgramBytes),
        dice_(seed) {}

  ArmProgram make() {
    begin();
    while (program_.instructions < kInstructions || in_it_) {
      if (!place_next()) {
        break;
      }
    }
    program_.end = playground_.core.pc();
    return program_;
  }

 private:
  void begin() {
    for (std::uint32_t offset = 0; offset < Playground::kProgramBytes; offset += 2) {
      std::memcpy(&playground_.code[start_ - Playground::kCode + offset], &kBkpt, sizeof kBkpt);
    }
    playground_.core.code_changed(start_, Playground::kProgramBytes);
    program_.data.resize(Playground::kDataBytes);
    for (auto& byte : program_.data) {
      byte = static_cast<std::uint8_t>(dice_.bits());
    }
    for (unsigned i = 0; i < kPc; ++i) {
      program_.before[i] = value_of(i, dice_);
    }
    program_.before[kPc] = start_;
    program_.before[16] = (dice_.bits() & 0xF80F0000) | kPsrT;
    program_.begin(playground_);
  }

  // One that can be executed at the PC.
  bool place_next() {
    static const std::vector<Encoding> encodings = all_encodings();
    const Playground::State state = playground_.state();
    const std::vector<std::uint8_t> data = playground_.data;
    const std::uint32_t pc = state[kPc];
    const auto it = static_cast<std::uint8_t>((state[16] >> 25 & 3) | (state[16] >> 10 & 0x3F) << 2);
    for (unsigned attempt = 0; attempt < 2000; ++attempt) {
      const Encoding& encoding = encodings[dice_.below(static_cast<std::uint32_t>(encodings.size()))];
      const unsigned size = is_narrow(encoding) ? 2 : 4;
      std::uint32_t code = encoding.pattern.value | (dice_.bits() & ~encoding.pattern.mask);
      code = size == 2 ? code & 0xFFFF : code;
      if (!is_comparable(code, size, it)) {
        continue;
      }
      playground_.write_code(pc, code, size);
      const iss::CoreStop stop = playground_.core.run(1);
      const std::uint32_t next = playground_.core.pc();
      if (stop.reason == iss::StopReason::budget && next >= pc + size && next < pc + 64 && next + 64 < end()) {
        program_.codes.push_back(code);
        ++program_.instructions;
        in_it_ = (playground_.core.reg(16) & 0x0600FC00) != 0;
        return true;
      }
      playground_.write_code(pc, size == 2 ? kBkpt : kBkpt << 16 | kBkpt, size);
      playground_.set_state(state);
      std::memcpy(playground_.data.data(), data.data(), data.size());
    }
    return false;
  }
  [[nodiscard]] std::uint32_t end() const { return start_ + Playground::kProgramBytes; }

  Playground& playground_;
  std::uint32_t start_;
  Dice dice_;
  ArmProgram program_;
  bool in_it_ = false;
};

}  // namespace

Playground::Playground()
    : core({.model = Model::cortex_m4, .vector_table = kData, .stop_at_bkpt = true, .stop_at_hard_fault = true},
           {{kCode, kCodeBytes, code.data(), false, true}, {kData, kDataBytes, data.data(), true, false}}, nothing) {
  core.reset();
  // Without privilege, so that no address is that of a register of the core.
  core.set_reg(20, 1U << 24);
}

Playground::State Playground::state() const {
  State state;
  for (unsigned i = 0; i < state.size(); ++i) {
    state[i] = core.reg(i);
  }
  return state;
}

void Playground::set_state(const State& state) {
  for (unsigned i = 0; i < state.size(); ++i) {
    core.set_reg(i, state[i]);
  }
}

void Playground::write_code(std::uint32_t address, std::uint32_t value, unsigned size) {
  const std::uint32_t halves = size == 2 ? value : value >> 16 | value << 16;
  std::memcpy(&code[address - kCode], &halves, size);
  core.code_changed(address, size);
}

void ArmProgram::begin(Playground& playground) const {
  playground.set_state(before);
  std::memcpy(playground.data.data(), data.data(), data.size());
}

bool ArmProgram::repeat(Playground& playground) const {
  begin(playground);
  for (std::uint64_t i = 0; i < instructions; ++i) {
    if (playground.core.run(1).reason != iss::StopReason::budget) {
      return false;
    }
  }
  return playground.core.pc() == end;
}

ArmProgram make_arm_program(Playground& playground, std::uint64_t number, std::uint64_t seed) {
  return Maker(playground, number % (Playground::kCodeBytes / Playground::kProgramBytes), seed).make();
}

}  // namespace ftlab::tests
