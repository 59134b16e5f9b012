// Cost of the sequences that dominate a long run: a page program with its register accesses, bursts and polls, a page
// load, one erase. Segments are filled and erased in turn, as a log does.
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>

#include "common/toml/toml_file.h"
#include "hw/onenand/core.h"
#include "hw/regs/onenand_regs.h"

namespace {

using namespace ftlab;
using namespace ftlab::hw;
namespace regs = flexonenand;
namespace reg = flexonenand::reg;

OneNandSpec part() {
  auto file = spec::TomlFile::load(FTLAB_PART_DIR "/flexonenand-4gb.toml");
  file.set("bad_segments.reserve", "0", "bench");
  return load_onenand_spec(file);
}

class Bus {
 public:
  explicit Bus(bool store_content) : core_(part(), {1, store_content, nullptr, true}) {
    write16(reg::kCommand, regs::command::kUnlockAll);
    wait();
  }
  void write16(std::uint32_t address, std::uint16_t value) {
    const std::byte bytes[2] = {static_cast<std::byte>(value & 0xFF), static_cast<std::byte>(value >> 8)};
    now_ += core_.bus().write(now_, address, bytes).time;
  }
  std::uint16_t read16(std::uint32_t address) {
    std::byte bytes[2];
    now_ += core_.bus().read(now_, address, bytes).time;
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[0]) | std::to_integer<unsigned>(bytes[1]) << 8);
  }
  void address(std::uint32_t segment, std::uint32_t page) {
    write16(reg::kStartAddress1, static_cast<std::uint16_t>(segment));
    write16(reg::kStartAddress2, 0);
    write16(reg::kStartAddress8, static_cast<std::uint16_t>(page << 2));
    write16(reg::kStartBuffer, regs::kStartBufferPage);
  }
  void wait() {
    benchmark::DoNotOptimize(read16(reg::kInterrupt));
    now_ = core_.next_status_change(now_);
    while ((read16(reg::kInterrupt) & regs::interrupt::kInt) == 0) now_ = core_.next_status_change(now_);
  }
  bool run(std::uint16_t code) {
    write16(reg::kCommand, code);
    wait();
    return (read16(reg::kControllerStatus) & regs::status::kError) == 0;
  }
  bool program(std::uint32_t segment, std::uint32_t page, std::span<const std::byte> main,
               std::span<const std::byte> spare) {
    now_ += core_.bus().write(now_, regs::area::kDataRam, main).time;
    now_ += core_.bus().write(now_, regs::area::kDataSpare, spare).time;
    address(segment, page);
    benchmark::DoNotOptimize(read16(reg::kWriteProtect));
    return run(regs::command::kProgram);
  }
  bool load(std::uint32_t segment, std::uint32_t page, std::span<std::byte> main, std::span<std::byte> spare) {
    address(segment, page);
    const bool good = run(regs::command::kLoad);
    now_ += core_.bus().read(now_, regs::area::kDataRam, main).time;
    now_ += core_.bus().read(now_, regs::area::kDataSpare, spare).time;
    return good;
  }
  bool erase(std::uint32_t segment) {
    address(segment, 0);
    return run(regs::command::kErase);
  }
  std::uint32_t segments() const { return core_.spec().segments(); }

 private:
  OneNandCore core_;
  Ticks now_{};
};

/// Argument: whether content is stored. Every segment is programmed, in later rounds after an erase.
void page_program(benchmark::State& state) {
  Bus bus(state.range(0) != 0);
  std::array<std::byte, regs::kPageBytes> main{};
  std::array<std::byte, regs::kSpareBytes> spare{};
  std::uint32_t segment = 1;
  std::uint32_t page = 0;
  bool used = false;
  for (auto _ : state) {
    main[0] = static_cast<std::byte>(page);
    if (!bus.program(segment, page, main, spare)) state.SkipWithError("program failed");
    if (++page < regs::kMlcPagesPerSegment) continue;
    page = 0;
    if (++segment == bus.segments()) {
      segment = 1;
      used = true;
    }
    if (used && !bus.erase(segment)) state.SkipWithError("erase failed");
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(page_program)->Arg(0)->Arg(1);

void page_load(benchmark::State& state) {
  Bus bus(state.range(0) != 0);
  std::array<std::byte, regs::kPageBytes> main{};
  std::array<std::byte, regs::kSpareBytes> spare{};
  for (std::uint32_t page = 0; page < regs::kMlcPagesPerSegment; ++page) bus.program(1, page, main, spare);
  std::uint32_t page = 0;
  for (auto _ : state) {
    if (!bus.load(1, page, main, spare)) state.SkipWithError("load failed");
    page = (page + 1) % regs::kMlcPagesPerSegment;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(page_load)->Arg(0)->Arg(1);

void erase_segment(benchmark::State& state) {
  Bus bus(true);
  std::uint32_t segment = 1;
  for (auto _ : state) {
    if (!bus.erase(segment)) state.SkipWithError("erase failed");
    if (++segment == bus.segments()) segment = 1;
  }
}
BENCHMARK(erase_segment);

}  // namespace

BENCHMARK_MAIN();
