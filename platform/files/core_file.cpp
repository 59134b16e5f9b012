// One line per number of the profile; each is a quantity with unit and source.
#include "platform/files/core_file.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

constexpr double kMaxMhz = 1000;

struct CyclesKey {
  std::string_view key;
  std::uint8_t CoreTiming::*member;
  double least;
  std::string_view only;  ///< the instruction set that has it; empty: all
};
constexpr CyclesKey kCycles[] = {{"cycles.alu", &CoreTiming::alu, 1, ""},
                                 {"cycles.multiply", &CoreTiming::multiply, 1, ""},
                                 {"cycles.multiply_long", &CoreTiming::multiply_long, 1, ""},
                                 {"cycles.divide_least", &CoreTiming::divide_least, 1, ""},
                                 {"cycles.divide_most", &CoreTiming::divide_most, 1, ""},
                                 {"cycles.load", &CoreTiming::load, 1, ""},
                                 {"cycles.load_in_row", &CoreTiming::load_in_row, 1, "arm"},
                                 {"cycles.store", &CoreTiming::store, 1, ""},
                                 {"cycles.multiple", &CoreTiming::multiple, 1, "arm"},
                                 {"cycles.multiple_register", &CoreTiming::multiple_register, 0, "arm"},
                                 {"cycles.branch_not_taken", &CoreTiming::branch_not_taken, 1, ""},
                                 {"cycles.branch_taken", &CoreTiming::branch_taken, 1, ""},
                                 {"cycles.jump", &CoreTiming::jump, 1, ""},
                                 {"cycles.call", &CoreTiming::call, 1, ""},
                                 {"cycles.jump_register", &CoreTiming::jump_register, 1, ""},
                                 {"cycles.special", &CoreTiming::special, 1, ""},
                                 {"cycles.fence", &CoreTiming::fence, 1, "riscv"},
                                 {"cycles.exception_entry", &CoreTiming::exception_entry, 0, ""},
                                 {"cycles.exception_chain", &CoreTiming::exception_chain, 0, "arm"},
                                 {"cycles.exception_exit", &CoreTiming::exception_exit, 0, ""},
                                 {"memory.data_wait", &CoreTiming::data_wait, 0, ""}};
constexpr std::string_view kOthers[] = {"name",
                                        "title",
                                        "instruction_set",
                                        "clock",
                                        "memory.register_wait",
                                        "memory.dma_word",
                                        "memory.flash_access",
                                        "memory.line",
                                        "memory.lines",
                                        "memory.ways",
                                        "energy.active_cycle",
                                        "energy.idle_cycle"};

std::uint32_t whole(const spec::TomlFile& file, std::string_view key, std::string_view unit, double least,
                    double most) {
  const double value = file.get_in(key, unit, least, most);
  if (value != std::round(value)) throw InputError(fmt::format("{}{:g} is no whole number", file.where(key), value));
  return static_cast<std::uint32_t>(value);
}

std::uint32_t power_of_two(const spec::TomlFile& file, std::string_view key, std::string_view unit, double least,
                           double most) {
  const std::uint32_t value = whole(file, key, unit, least, most);
  if (!std::has_single_bit(value))
    throw InputError(fmt::format("{}{} is not a power of two; use {} or {}", file.where(key), value,
                                 std::bit_floor(value), std::bit_ceil(value)));
  return value;
}

std::uint64_t hz_of(const spec::TomlFile& file, double mhz) {
  const double khz = mhz == 0 ? file.get_in("clock", "kHz", 1000, kMaxMhz * 1000) : mhz * 1000;
  if (khz != std::round(khz))
    throw InputError(fmt::format("{}{:g} MHz is no whole number of kHz", file.where("clock"), khz / 1000));
  return static_cast<std::uint64_t>(khz) * 1000;
}

FlashTiming flash_of(const spec::TomlFile& file, std::uint64_t hz) {
  constexpr double kLongestNs = 10'000;
  FlashTiming flash;
  const double cycles = file.get_in("memory.flash_access", "ns", 0, kLongestNs) * static_cast<double>(hz) / 1e9;
  flash.miss = cycles <= 1 ? 0 : static_cast<std::uint32_t>(std::ceil(cycles)) - 1;
  flash.line_bytes = power_of_two(file, "memory.line", "B", 4, 256);
  const std::uint32_t lines = power_of_two(file, "memory.lines", "1", 2, 65536);
  flash.ways = power_of_two(file, "memory.ways", "1", 1, 65536);
  flash.sets = lines / flash.ways;
  if (flash.sets < 2)
    throw InputError(fmt::format("{}{} lines of {} ways make less than two sets; use {} ways or fewer",
                                 file.where("memory.ways"), lines, flash.ways, lines / 2));
  return flash;
}

}  // namespace

CoreSpec load_core_spec(const spec::TomlFile& file, double mhz) {
  // What is not a key comes before what is missing, which it may be the misspelt name of.
  for (const std::string_view key : kOthers) (void)file.has(key);
  CoreSpec profile;
  profile.instruction_set = file.get_string("instruction_set");
  if (profile.instruction_set != "arm" && profile.instruction_set != "riscv")
    throw InputError(
        fmt::format("{}'{}' is not one of arm | riscv", file.where("instruction_set"), profile.instruction_set));
  const auto has = [&profile](const CyclesKey& row) { return row.only.empty() || row.only == profile.instruction_set; };
  for (const CyclesKey& row : kCycles)
    if (has(row)) (void)file.has(row.key);
  file.finish();
  profile.name = file.get_string("name");
  profile.title = file.get_string("title");
  profile.hz = hz_of(file, mhz);
  for (const CyclesKey& row : kCycles)
    if (has(row))
      profile.timing.*row.member =
          static_cast<std::uint8_t>(whole(file, row.key, "cycles", row.least, CoreTiming::kLongest));
  if (profile.instruction_set == "riscv") profile.timing.load_in_row = profile.timing.load;
  const auto ordered = [&](std::string_view less, unsigned least, std::string_view more, unsigned most) {
    if (least > most)
      throw InputError(fmt::format("{}{} cycles, and {} are {}; give it no more", file.where(less), least, more, most));
  };
  const CoreTiming& timing = profile.timing;
  ordered("cycles.divide_least", timing.divide_least, "cycles.divide_most", timing.divide_most);
  ordered("cycles.branch_not_taken", timing.branch_not_taken, "cycles.branch_taken", timing.branch_taken);
  profile.timing.flash = flash_of(file, profile.hz);
  profile.register_wait = whole(file, "memory.register_wait", "cycles", 0, 1000);
  profile.dma_word = whole(file, "memory.dma_word", "cycles", 1, 1000);
  constexpr double kMaxPj = 1e9;
  profile.active_cycle_pj = whole(file, "energy.active_cycle", "pJ", 0, kMaxPj);
  profile.idle_cycle_pj = whole(file, "energy.idle_cycle", "pJ", 0, kMaxPj);
  return profile;
}

}  // namespace ftlab::platform
