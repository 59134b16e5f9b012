// Cost of the sequences that dominate a long run: 512 bytes through the page buffers, 4 KiB read, one erase.
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>

#include "common/toml/toml_file.h"
#include "hw/regs/series2plus_regs.h"
#include "hw/series2plus/core.h"

namespace {

using namespace ftlab;
using namespace ftlab::hw;
namespace regs = series2plus;

CardSpec part() {
  auto file = spec::TomlFile::load(FTLAB_PART_DIR "/series2plus-24mb.toml");
  return load_card_spec(file, Voltage::v5);
}

class Bus {
 public:
  explicit Bus(bool store_content) : core_(part(), {1, store_content, nullptr, true}) {
    core_.set_vpp_pin(Ticks::zero(), true);
  }
  void write16(std::uint32_t address, std::uint16_t value) {
    const std::byte bytes[2] = {static_cast<std::byte>(value & 0xFF), static_cast<std::byte>(value >> 8)};
    now_ += core_.common().write(now_, address, bytes).time;
  }
  std::uint16_t read16(std::uint32_t address) {
    std::byte bytes[2];
    now_ += core_.common().read(now_, address, bytes).time;
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[0]) | std::to_integer<unsigned>(bytes[1]) << 8);
  }
  void command(std::uint32_t address, std::uint8_t code) { write16(address, regs::doubled(code)); }
  void wait_ready() { now_ = core_.next_ready_edge(now_); }
  CardCore& core() { return core_; }
  Ticks& now() { return now_; }

  void program_512(std::uint32_t address, std::span<const std::byte> data) {
    const std::uint32_t segment = address & ~0x1FFFFU;
    command(address, regs::command::kReadExtendedStatus);
    benchmark::DoNotOptimize(read16(segment + regs::offset::kGsr));
    command(address, regs::command::kSequentialLoad);
    write16(address, 0xFFFF);
    write16(address, 0);
    now_ += core_.common().write(now_, address, data).time;
    command(address, regs::command::kReadExtendedStatus);
    benchmark::DoNotOptimize(read16(segment + regs::offset::kBsr));
    command(address, regs::command::kPageBufferWrite);
    write16(address, 0xFFFF);
    write16(address, 0);
    command(address, regs::command::kReadExtendedStatus);
    benchmark::DoNotOptimize(read16(segment + regs::offset::kBsr));
    wait_ready();
    benchmark::DoNotOptimize(read16(segment + regs::offset::kBsr));
  }

 private:
  CardCore core_;
  Ticks now_{};
};

void page_buffer_program(benchmark::State& state) {
  Bus bus(state.range(0) != 0);
  std::array<std::byte, 512> data{};
  data.fill(std::byte{0x5A});
  std::uint32_t address = 0;
  for (auto _ : state) {
    bus.program_512(address, data);
    address = address + 512 == bus.core().spec().capacity_bytes() ? 0 : address + 512;
  }
}
BENCHMARK(page_buffer_program)->Arg(0)->Arg(1);

void read_4k(benchmark::State& state) {
  Bus bus(true);
  std::array<std::byte, 4096> data{};
  std::uint32_t address = 0;
  for (auto _ : state) {
    bus.now() += bus.core().common().read(bus.now(), address, data).time;
    benchmark::DoNotOptimize(data);
    address = (address + 4096) % bus.core().spec().capacity_bytes();
  }
}
BENCHMARK(read_4k);

void erase_segment(benchmark::State& state) {
  Bus bus(true);
  std::uint32_t address = 0;
  for (auto _ : state) {
    bus.command(address, regs::command::kErase);
    bus.command(address, regs::command::kConfirm);
    bus.wait_ready();
    benchmark::DoNotOptimize(bus.read16(address));
    address = (address + 131072) % bus.core().spec().capacity_bytes();
  }
}
BENCHMARK(erase_segment);

}  // namespace

BENCHMARK_MAIN();
