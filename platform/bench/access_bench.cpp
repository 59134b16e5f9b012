// What accesses of a part cost a simulated core: a stream of 4 KiB reads and 4 KiB writes over TLM, an access at every
// 18th instruction, with the time and the books of a study, beside the same loop over RAM. `instructions` is what a CPU
// second executes, `access_ns` what an access takes more than a load or store. Knows no firmware.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "firmware/target/board.h"
#include "platform/bench/in_child.h"
#include "platform/machine/core/core_processor.h"
#include "platform/machine/machine.h"
#include "platform/study/study.h"
#include "platform/study/study_files.h"

extern "C" int sc_main(int, char**) { return 0; }

namespace ftlab::platform {
namespace {

using Halfwords = std::vector<std::uint16_t>;

/// The upper half of the addresses that a loop reads and writes: the window of the part, or RAM.
constexpr std::uint16_t kPart = target::kOneNandWindow >> 16;
constexpr std::uint16_t kRam = target::kRam >> 16;

struct Core {
  const char* name;
  std::uint16_t elf_machine;
  std::uint32_t entry;
  Halfwords program;  ///< at address 0
};

const Core kCores[] = {
    {"arm",
     40,
     9,
     {
         0x8000, 0x2000, 0x0009, 0x0000,                                  // stack pointer, reset
         0x4816,                                                          // ldr r0, report
         0x2100,                                                          // movs r1, #0
         0x6001,                                                          // str r1, [r0, #0]
         0x4916,                                                          // outer: ldr r1, first
         0x4d16,                                                          // ldr r5, last
         0xf831, 0x3b02,                                                  // reads: ldrh.w r3, [r1], #2
         0x3001, 0x4042, 0x3001, 0x4042, 0x3001, 0x4042, 0x3001, 0x4042,  // adds r0, #1; eors r2, r0; ...
         0x3001, 0x4042, 0x3001, 0x4042, 0x3001, 0x4042, 0x3001,          // 15 of them
         0x42a9,                                                          // cmp r1, r5
         0xd1ec,                                                          // bne.n reads
         0x490b,                                                          // ldr r1, first
         0xf821, 0x3b02,                                                  // writes: strh.w r3, [r1], #2
         0x3001, 0x4042, 0x3001, 0x4042, 0x3001, 0x4042, 0x3001, 0x4042,  // adds r0, #1; eors r2, r0; ...
         0x3001, 0x4042, 0x3001, 0x4042, 0x3001, 0x4042, 0x3001,          // 15 of them
         0x42a9,                                                          // cmp r1, r5
         0xd1ec,                                                          // bne.n writes
         0xe7d5,                                                          // b.n outer
         0xbf00,                                                          // nop
         0x0014, 0x4000,                                                  // report: the host queue's register
         0x0400, kPart,                                                   // first: the data RAM of a Flex-OneNAND
         0x1400, kPart,                                                   // last
     }},
    {"riscv",
     243,
     0,
     {
         0x0537, 0x4000,                                                  // lui a0, 0x40000
         0x2a23, 0x0005,                                                  // sw zero, 20(a0): the report
         0x17b7, kPart,                                                   // lui a5, last
         0x8793, 0x4007,                                                  // addi a5, a5, 1024
         0x05b7, kPart,                                                   // outer: lui a1, first
         0x8593, 0x4005,                                                  // addi a1, a1, 1024
         0xd703, 0x0005,                                                  // reads: lhu a4, 0(a1)
         0x0589,                                                          // c.addi a1, 2
         0x0505, 0x0505, 0x0505, 0x0505, 0x0505, 0x0505, 0x0505, 0x0505,  // c.addi a0, 1
         0x0505, 0x0505, 0x0505, 0x0505, 0x0505, 0x0505, 0x0505,          // 15 of them
         0x9ee3, 0xfcf5,                                                  // bne a1, a5, reads
         0x05b7, kPart,                                                   // lui a1, first
         0x8593, 0x4005,                                                  // addi a1, a1, 1024
         0x9023, 0x00e5,                                                  // writes: sh a4, 0(a1)
         0x0589,                                                          // c.addi a1, 2
         0x0505, 0x0505, 0x0505, 0x0505, 0x0505, 0x0505, 0x0505, 0x0505,  // c.addi a0, 1
         0x0505, 0x0505, 0x0505, 0x0505, 0x0505, 0x0505, 0x0505,          // 15 of them
         0x9ee3, 0xfcf5,                                                  // bne a1, a5, writes
         0xb745,                                                          // c.j outer
     }}};
constexpr double kInstructionsAnAccess = 18;

/// An ELF file with the program at address 0 as its only segment.
std::string elf(const Core& core, std::uint16_t upper_half) {
  std::string file(
      "\x7f"
      "ELF\1\1\1",
      7);
  file.resize(16);
  const auto put = [&file](unsigned bytes, std::initializer_list<std::uint32_t> values) {
    for (const std::uint32_t value : values)
      for (unsigned byte = 0; byte < bytes; ++byte) file.push_back(static_cast<char>(value >> 8 * byte & 0xFF));
  };
  constexpr std::uint32_t kHead = 52;
  constexpr std::uint32_t kSegment = 32;
  const auto size = static_cast<std::uint32_t>(2 * core.program.size());
  put(2, {2, core.elf_machine});
  put(4, {1, core.entry, kHead, 0, 0});
  put(2, {kHead, kSegment, 1, 40, 0, 0});
  put(4, {1, kHead + kSegment, 0, 0, size, size, 5, 4});
  for (const std::uint16_t halfword : core.program) put(2, {halfword == kPart ? upper_half : halfword});
  return file;
}

double cpu_s() {
  std::timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Instructions that a CPU second executes.
double rate(const Core& core, const std::string& part, std::uint16_t upper_half) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("ftlab-access-bench-" + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary) << elf(core, upper_half);
  const auto result = in_child([&] {
    const std::vector<Setting> settings{{"part", part, ""}, {"firmware.elf", path.string(), ""}};
    const Study study = parse_study("", "benchmark", settings);
    const ProcessorProfile host = load_host(study);
    double seconds = 0;
    std::uint64_t executed = 0;
    Machine machine(device_factory(study, host, false), processor_factory(study, host), [&](Machine& built) {
      auto& cpu = dynamic_cast<CoreProcessor&>(built.processor());
      cpu.start({});
      cpu.advance(std::chrono::milliseconds{100});
      constexpr std::uint64_t kInstructions = 100'000'000;
      const std::uint64_t before = cpu.instructions();
      const double begun = cpu_s();
      while (cpu.instructions() - before < kInstructions) cpu.advance(std::chrono::milliseconds{100});
      seconds = cpu_s() - begun;
      executed = cpu.instructions() - before;
    });
    machine.run();
    return nlohmann::ordered_json(static_cast<double>(executed) / seconds);
  });
  std::filesystem::remove(path);
  return result.get<double>();
}

void run(benchmark::State& state, const Core& core, const std::string& part) {
  for ([[maybe_unused]] auto _ : state) {
    const double alone = rate(core, part, kRam);
    const double with = rate(core, part, kPart);
    state.SetIterationTime(kInstructionsAnAccess / with);
    state.counters["instructions"] = with;
    state.counters["instructions_over_ram"] = alone;
    state.counters["access_ns"] = 1e9 * kInstructionsAnAccess * (1 / with - 1 / alone);
  }
}

}  // namespace
}  // namespace ftlab::platform

int main(int argc, char** argv) {
  using namespace ftlab::platform;
  for (const Core& core : kCores) {
    // A card, which nothing has been programmed to, reads FFFFh, and that is its command Read Array.
    for (const char* part : {"flexonenand-4gb", "series2plus-4mb"})
      benchmark::RegisterBenchmark((std::string(core.name) + "/" + part).c_str(),
                                   [&core, part](benchmark::State& state) { run(state, core, part); })
          ->UseManualTime()
          ->Iterations(1);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
