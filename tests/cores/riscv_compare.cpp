// Random programs on our RISC-V core and on another emulator: registers and memory are equal at the end.
//
//   ftlab-compare-riscv LIBRARY SEED PROGRAMS    LIBRARY: of Unicorn 2.1
//
// Each program is executed by our core in pieces of random length, so that budgets end everywhere. Prints the program
// and what differs, and ends with status 1, at the first difference; SEED and 1 repeat that program.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "platform/machine/iss/riscv/riscv_core.h"
#include "tests/cores/riscv_program.h"
#include "tests/cores/unicorn.h"

namespace ftlab::tests {
namespace {

using iss::riscv::RiscvConfig;
using iss::riscv::RiscvCore;

constexpr std::uint32_t kRom = 0x10000;
constexpr std::uint32_t kRomBytes = 1U << 20;
constexpr unsigned kRegisters = 32;
constexpr int kMode32 = 4;         // UC_MODE_RISCV32
constexpr int kFirstRegister = 1;  // UC_RISCV_REG_X0
constexpr int kPcNumber = 190;     // UC_RISCV_REG_PC
constexpr std::uint32_t kEbreak = 0x00100073;
/// Programs loop a few times at most.
constexpr std::uint64_t kEndless = 100'000;

class NoBus final : public iss::Bus {
 public:
  bool read(std::uint32_t, unsigned, std::uint32_t&) override { return false; }
  bool write(std::uint32_t, unsigned, std::uint32_t) override { return false; }
};

class Comparison {
 public:
  explicit Comparison(const std::string& library) : unicorn_(library) {
    std::iota(numbers_.begin(), numbers_.end(), kFirstRegister);
    numbers_.back() = kPcNumber;
    start_anew();
  }

  /// Answers what differs, or "".
  std::string compare(std::uint64_t seed) {
    Dice dice(seed);
    const RiscvProgram program = make_riscv_program(dice);
    const std::uint32_t bytes = 2 * static_cast<std::uint32_t>(program.halves.size());
    // The other emulator does not see code change, so that each program has a place of its own.
    if (next_ + bytes + sizeof kEbreak > kRomBytes) start_anew();
    begin_ = kRom + next_;
    end_ = begin_ + bytes;
    std::memcpy(&rom_[next_], program.halves.data(), bytes);
    std::memcpy(&rom_[next_ + bytes], &kEbreak, sizeof kEbreak);
    core_->code_changed(begin_, bytes + sizeof kEbreak);
    next_ = (next_ + bytes + sizeof kEbreak + 3) & ~3U;
    for (unsigned i = 0; i < kRegisters; ++i) values_[i] = first_value_of(i, dice);
    for (std::size_t i = 0; i < kRiscvRamBytes; i += 4) {
      const std::uint32_t word = dice.bits();
      std::memcpy(&our_ram_[i], &word, sizeof word);
    }
    their_ram_ = our_ram_;
    std::string wrong = run_ours(dice);
    if (wrong.empty()) wrong = run_theirs();
    if (wrong.empty()) wrong = difference();
    return wrong.empty() ? "" : wrong + listing(program);
  }

 private:
  void start_anew() {
    next_ = 0;
    RiscvConfig config;
    config.misaligned_done = true;
    config.reported = ~0U;
    core_ = std::make_unique<RiscvCore>(
        config,
        std::vector<iss::MemoryRegion>{{kRom, kRomBytes, rom_.data(), false, true},
                                       {kRiscvRam, kRiscvRamBytes, our_ram_.data(), true, false}},
        bus_);
    theirs_ = std::make_unique<Unicorn::Machine>(unicorn_, Unicorn::Architecture::riscv, kMode32);
    theirs_->map(kRom, rom_);
    theirs_->map(kRiscvRam, their_ram_);
  }

  std::string run_ours(Dice& dice) {
    for (unsigned i = 0; i < kRegisters; ++i) core_->set_reg(i, static_cast<std::uint32_t>(values_[i]));
    core_->set_pc(begin_);
    const std::uint64_t first = core_->instructions();
    for (;;) {
      const iss::CoreStop stop = core_->run(dice.one_in(2) ? 1 + dice.below(8) : kEndless);
      if (stop.reason == iss::StopReason::breakpoint && stop.pc == end_) return "";
      if (stop.reason != iss::StopReason::budget) return where("ours", iss::name_of(stop.reason), stop.pc);
      if (core_->instructions() - first > kEndless) return where("ours", "does not end", stop.pc);
    }
  }

  std::string run_theirs() {
    theirs_->write_registers(std::span(numbers_).first(kRegisters), std::span(values_).first(kRegisters));
    const std::string wrong = theirs_->run(begin_, end_);
    theirs_->read_registers(numbers_, values_);
    const auto pc = static_cast<std::uint32_t>(values_.back());
    if (!wrong.empty()) return where("theirs", wrong, pc);
    return pc == end_ ? "" : where("theirs", "ends elsewhere", pc);
  }

  std::string difference() const {
    std::string text;
    for (unsigned i = 0; i < kRegisters; ++i) {
      const auto theirs = static_cast<std::uint32_t>(values_[i]);
      if (core_->reg(i) != theirs)
        text += "x" + std::to_string(i) + ": ours " + hex(core_->reg(i)) + ", theirs " + hex(theirs) + "\n";
    }
    for (std::size_t i = 0; i < our_ram_.size(); ++i) {
      if (our_ram_[i] != their_ram_[i]) {
        text += "byte " + std::to_string(i) + ": ours " + hex(our_ram_[i]) + ", theirs " + hex(their_ram_[i]) + "\n";
      }
    }
    return text;
  }

  std::string where(const char* whose, const std::string& what, std::uint32_t pc) const {
    return std::string(whose) + ": " + what + " at halfword " + std::to_string((pc - begin_) / 2) + "\n";
  }
  static std::string hex(std::uint32_t value) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%08x", value);
    return text.data();
  }
  static std::string listing(const RiscvProgram& program) {
    std::string text = "halfwords:";
    for (const std::uint16_t half : program.halves) text += " " + hex(half).substr(4);
    return text + "\n";
  }

  const Unicorn unicorn_;
  NoBus bus_;
  std::vector<std::uint8_t> rom_ = std::vector<std::uint8_t>(kRomBytes);
  std::vector<std::uint8_t> our_ram_ = std::vector<std::uint8_t>(kRiscvRamBytes);
  std::vector<std::uint8_t> their_ram_ = our_ram_;
  std::unique_ptr<RiscvCore> core_;
  std::unique_ptr<Unicorn::Machine> theirs_;
  std::array<int, kRegisters + 1> numbers_{};
  std::array<std::uint64_t, kRegisters + 1> values_{};
  std::uint32_t next_ = 0;
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
};

int compare_all(const std::string& library, std::uint64_t seed, std::uint64_t programs) {
  Comparison comparison(library);
  for (std::uint64_t i = 0; i < programs; ++i) {
    const std::string wrong = comparison.compare(seed + i);
    if (wrong.empty()) continue;
    std::printf("program %llu differs:\n%s", static_cast<unsigned long long>(seed + i), wrong.c_str());
    return 1;
  }
  std::printf("%llu programs: registers and memory are equal\n", static_cast<unsigned long long>(programs));
  return 0;
}

}  // namespace
}  // namespace ftlab::tests

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: ftlab-compare-riscv LIBRARY SEED PROGRAMS\n");
    return 2;
  }
  try {
    return ftlab::tests::compare_all(argv[1], std::stoull(argv[2]), std::stoull(argv[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ftlab-compare-riscv: %s\n", error.what());
    return 2;
  }
}
