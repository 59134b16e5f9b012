// Random programs on our ARMv7-M core and on another emulator: registers, flags and memory are equal at the end.
//
//   ftlab-compare-arm LIBRARY SEED PROGRAMS    LIBRARY: of Unicorn 2.1
//
// Prints the program and what differs, and ends with status 1, at the first difference; SEED and 1 repeat that program.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <string>

#include "tests/cores/arm_program.h"
#include "tests/cores/unicorn.h"

namespace ftlab::tests {
namespace {

// UC_MODE_THUMB, UC_MODE_MCLASS: without a model named a Cortex-M33, which has the Cortex-M4's instructions.
constexpr int kMode = 1 << 4 | 1 << 5;
constexpr int kR0 = 66, kSpNumber = 12, kLrNumber = 10, kPcNumber = 11;
constexpr int kXpsr = 120;         // UC_ARM_REG_XPSR: writing leaves the GE flags alone
constexpr int kFlagsWithGe = 129;  // UC_ARM_REG_APSR_NZCVQG: for writing alone
constexpr std::array<int, 17> kNumbers = {kR0,      kR0 + 1,   kR0 + 2,   kR0 + 3,   kR0 + 4,  kR0 + 5,
                                          kR0 + 6,  kR0 + 7,   kR0 + 8,   kR0 + 9,   kR0 + 10, kR0 + 11,
                                          kR0 + 12, kSpNumber, kLrNumber, kPcNumber, kXpsr};

class Comparison {
 public:
  explicit Comparison(const std::string& library) : unicorn_(library) {}

  /// Answers what differs, or ""; `compared` is false when the program cannot be repeated.
  std::string compare(std::uint64_t seed, bool& compared) {
    constexpr std::uint64_t kPlaces = Playground::kCodeBytes / Playground::kProgramBytes;
    if (number_ % kPlaces == 0) {
      start_anew();
    }
    const ArmProgram program = make_arm_program(playground_, number_++, seed);
    compared = program.repeat(playground_);
    if (!compared) {
      return "";
    }
    theirs_data_ = program.data;
    const std::string wrong = run_theirs(program);
    std::string text = wrong.empty() ? "" : "theirs: " + wrong + "\n";
    const Playground::State ours = playground_.state();
    for (unsigned i = 0; i < ours.size(); ++i) {
      if (ours[i] != values_[i]) {
        text += "r" + std::to_string(i) + " before " + hex(program.before[i]) + ", ours " + hex(ours[i]) + ", theirs " +
                hex(static_cast<std::uint32_t>(values_[i])) + "\n";
      }
    }
    if (theirs_data_ != playground_.data) {
      text += "memory differs\n";
    }
    return text.empty() ? "" : text + listing(program);
  }

 private:
  void start_anew() {
    theirs_ = std::make_unique<Unicorn::Machine>(unicorn_, Unicorn::Architecture::arm, kMode);
    theirs_->map(Playground::kCode, playground_.code);
    theirs_->map(Playground::kData, theirs_data_);
  }

  std::string run_theirs(const ArmProgram& program) {
    for (unsigned i = 0; i < values_.size(); ++i) {
      values_[i] = program.before[i];
    }
    theirs_->write_registers(kNumbers, values_);
    theirs_->write_registers(std::span(&kFlagsWithGe, 1), std::span(values_).last(1));
    const std::string wrong = theirs_->run(program.before[15] | 1, program.end);
    theirs_->read_registers(kNumbers, values_);
    return wrong;
  }

  static std::string hex(std::uint32_t value) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%08x", value);
    return text.data();
  }
  static std::string listing(const ArmProgram& program) {
    std::string text = "codes:";
    for (const std::uint32_t code : program.codes) {
      text += " " + (code >> 16 == 0 ? hex(code).substr(4) : hex(code));
    }
    return text + "\n";
  }

  const Unicorn unicorn_;
  Playground playground_;
  std::vector<std::uint8_t> theirs_data_ = std::vector<std::uint8_t>(Playground::kDataBytes);
  std::unique_ptr<Unicorn::Machine> theirs_;
  std::array<std::uint64_t, kNumbers.size()> values_{};
  std::uint64_t number_ = 0;
};

int compare_all(const std::string& library, std::uint64_t seed, std::uint64_t programs) {
  Comparison comparison(library);
  std::uint64_t equal = 0;
  for (std::uint64_t i = 0; i < programs; ++i) {
    bool compared = false;
    const std::string wrong = comparison.compare(seed + i, compared);
    if (!wrong.empty()) {
      std::printf("program %llu differs:\n%s", static_cast<unsigned long long>(seed + i), wrong.c_str());
      return 1;
    }
    equal += compared ? 1 : 0;
  }
  std::printf("%llu programs: registers, flags and memory are equal\n", static_cast<unsigned long long>(equal));
  return equal >= programs - programs / 10 ? 0 : 1;
}

}  // namespace
}  // namespace ftlab::tests

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: ftlab-compare-arm LIBRARY SEED PROGRAMS\n");
    return 2;
  }
  try {
    return ftlab::tests::compare_all(argv[1], std::stoull(argv[2]), std::stoull(argv[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ftlab-compare-arm: %s\n", error.what());
    return 2;
  }
}
