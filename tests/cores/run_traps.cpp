// Executes an image of tests/cores/traps on one of our cores, up to its symbol `finished`, and writes the log that it
// has made in memory to a file.
//
//   ftlab-run-traps arm|riscv IMAGE LOG
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "platform/machine/iss/arm/cortex_m.h"
#include "platform/machine/iss/elf_image.h"
#include "platform/machine/iss/riscv/riscv_core.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kMemoryBytes = 4U << 20;
constexpr std::uint64_t kEndless = 100'000'000;

class Image {
 public:
  Image(const std::string& file, iss::ElfMachine machine) : elf_(iss::ElfImage::read(file, machine)) {}

  void load(std::uint32_t base, std::vector<std::uint8_t>& memory) const {
    for (const iss::ElfSegment& segment : elf_.segments()) {
      const std::uint32_t offset = segment.address - base;
      if (offset + segment.bytes.size() > memory.size()) throw std::runtime_error("the image is too long");
      std::memcpy(&memory[offset], segment.bytes.data(), segment.bytes.size());
    }
  }
  [[nodiscard]] std::uint32_t address_of(const char* symbol) const { return elf_.symbol(symbol).value().address; }

 private:
  iss::ElfImage elf_;
};

void run(iss::Core& core, const Image& image) {
  const std::uint32_t end = image.address_of("finished");
  core.set_breakpoint(end);
  const iss::CoreStop stop = core.run(kEndless);
  if (stop.reason != iss::StopReason::breakpoint || stop.pc != end) {
    char where[16];
    std::snprintf(where, sizeof where, "%08x", static_cast<unsigned>(stop.pc));
    std::fprintf(stderr, "our core: %s at %s\n", iss::name_of(stop.reason), where);
  }
}

/// The log is between `records` and where the first word of `vars` points.
void write_log(const char* file, const std::vector<std::uint8_t>& ram, std::uint32_t vars, std::uint32_t records) {
  std::uint32_t behind = 0;
  std::memcpy(&behind, &ram[vars], sizeof behind);
  const std::uint32_t end = behind & (static_cast<std::uint32_t>(ram.size()) - 1);
  std::ofstream out(file, std::ios::binary);
  // A program that has gone wild may have written anything.
  const std::streamsize bytes = end < records ? 0 : end - records;
  out.write(reinterpret_cast<const char*>(&ram[records]), bytes);
  if (!out.flush()) throw std::runtime_error(std::string(file) + " cannot be written");
}

struct Nothing final : iss::Bus {
  bool read(std::uint32_t, unsigned, std::uint32_t&) override { return false; }
  bool write(std::uint32_t, unsigned, std::uint32_t) override { return false; }
};

void run_arm(const std::string& file, const char* log) {
  const Image image(file, iss::ElfMachine::arm);
  std::vector<std::uint8_t> code(kMemoryBytes);
  std::vector<std::uint8_t> ram(kMemoryBytes);
  image.load(0, code);
  Nothing bus;
  iss::arm::CortexMConfig config;
  config.priority_bits = 8;
  iss::arm::CortexM core(
      config, {{0, kMemoryBytes, code.data(), true, true}, {0x20000000, kMemoryBytes, ram.data(), true, true}}, bus);
  core.reset();
  run(core, image);
  write_log(log, ram, 0, 0x10000);
}

/// What the programs use of the virt machine: the CLINT's software interrupt and time, of which only is asked whether a
/// time compared is zero, and a UART whose transmitter is empty, whose interrupt a PLIC keeps until it is claimed.
struct Virt final : iss::Bus {
  iss::riscv::RiscvCore* core = nullptr;
  bool read(std::uint32_t address, unsigned, std::uint32_t& value) override {
    if (address != kClaim) return false;
    constexpr std::uint32_t kUart = 10;
    value = std::exchange(kept_, false) ? kUart : 0;
    core->set_line(iss::riscv::Interrupt::external, false);
    return true;
  }
  bool write(std::uint32_t address, unsigned size, std::uint32_t value) override {
    constexpr std::uint32_t kSoftware = 0x02000000, kCompare = 0x02004000, kUartEnable = 0x10000001;
    using iss::riscv::Interrupt;
    if (address == kSoftware) {
      core->set_line(Interrupt::software, (value & 1) != 0);
    } else if (address == kCompare || address == kCompare + 4) {
      compare_[(address - kCompare) / 4] = value;
      core->set_line(Interrupt::timer, compare_[0] == 0 && compare_[1] == 0);
    } else if (address == kUartEnable) {
      kept_ = kept_ || ((value & 2) != 0 && !enabled_);
      enabled_ = (value & 2) != 0;
      core->set_line(Interrupt::external, kept_);
    } else {
      return size == 4 && address >> 26 == kClaim >> 26;
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kClaim = 0x0C200004;
  std::uint32_t compare_[2] = {~0U, ~0U};
  bool enabled_ = false;
  bool kept_ = false;
};

void run_riscv(const std::string& file, const char* log) {
  constexpr std::uint32_t kBase = 0x80000000;
  const Image image(file, iss::ElfMachine::riscv);
  std::vector<std::uint8_t> ram(2 * kMemoryBytes);
  image.load(kBase, ram);
  Virt bus;
  iss::riscv::RiscvConfig config;
  config.reset_pc = kBase;
  config.misaligned_done = true;
  iss::riscv::RiscvCore core(config, {{kBase, 2 * kMemoryBytes, ram.data(), true, true}}, bus);
  bus.core = &core;
  run(core, image);
  write_log(log, ram, 0x3F0000, 0x400000);
}

}  // namespace
}  // namespace ftlab::tests

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: ftlab-run-traps arm|riscv IMAGE LOG\n");
    return 2;
  }
  try {
    (std::string(argv[1]) == "arm" ? ftlab::tests::run_arm : ftlab::tests::run_riscv)(argv[2], argv[3]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ftlab-run-traps: %s\n", error.what());
    return 2;
  }
}
