// What the tests of the bus contract have to know of a family: how to make a small part, and how to make it busy.
// A new family is a struct here and its name in `Families`.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "common/toml/toml_file.h"
#include "hw/array/shell.h"
#include "hw/onenand/shell.h"
#include "hw/regs/array_regs.h"
#include "hw/regs/onenand_regs.h"
#include "hw/regs/series2plus_regs.h"
#include "hw/series2plus/shell.h"
#include "tests/device/shell/master.h"

namespace ftlab::hw::testing {

struct Series2PlusFamily {
  using Module = Series2PlusCard;
  static constexpr const char* kName = "series2plus";
  /// A word that reads alike over and over.
  static constexpr std::uint32_t kStableWord = 0;
  /// A word that shows work that make_busy() started.
  static constexpr std::uint32_t kStatusWord = 0;
  /// Of the line, while nothing is under way and nothing has been.
  static constexpr bool kLineAtRest = true;

  static CardSpec spec() {
    auto file = spec::TomlFile::load(FTLAB_PART_DIR "/series2plus-8mb.toml");
    return load_card_spec(file, Voltage::v5);
  }
  static Ticks read_cycle() { return spec().timing.common_cycle; }
  static void power_on(Module& part) { part.core().set_vpp_pin(Ticks::zero(), true); }
  static void enable_line(Master&) {}
  /// Starts work with the last word that it writes; returns how long the work takes.
  static Ticks make_busy(Master& master) {
    namespace c = series2plus::command;
    master.write16(0, series2plus::doubled(c::kErase));
    master.write16(0, series2plus::doubled(c::kConfirm));
    return spec().timing.erase;
  }
  static bool busy(Master& master) { return (master.read16(kStatusWord) & series2plus::csr::kReady) == 0; }
};

struct FlexOneNandFamily {
  using Module = FlexOneNand;
  static constexpr const char* kName = "flexonenand";
  static constexpr std::uint32_t kStableWord = flexonenand::reg::kManufacturerId;
  static constexpr std::uint32_t kStatusWord = flexonenand::reg::kInterrupt;
  static constexpr bool kLineAtRest = true;

  static OneNandSpec spec() {
    auto file = spec::TomlFile::load(FTLAB_PART_DIR "/flexonenand-4gb.toml");
    return load_onenand_spec(file);
  }
  static Ticks read_cycle() { return spec().bus.async_read; }
  static void power_on(Module&) {}
  static void enable_line(Master& master) {
    namespace config = flexonenand::config;
    master.write16(flexonenand::reg::kSystemConfig1, config::kDefault | config::kOutputsOn);
  }
  static Ticks make_busy(Master& master) {
    master.write16(flexonenand::reg::kCommand, flexonenand::command::kUnlockAll);
    return spec().timing.unlock_all;
  }
  static bool busy(Master& master) { return (master.read16(kStatusWord) & flexonenand::interrupt::kInt) == 0; }
};

struct ArrayFamily {
  using Module = NandArray;
  static constexpr const char* kName = "array";
  static constexpr std::uint32_t kStableWord = array::reg::kMagicAt;
  static constexpr std::uint32_t kStatusWord = array::reg::kStatus;
  static constexpr bool kLineAtRest = false;  ///< high while a completion can be read

  static ArraySpec spec() {
    auto file = spec::TomlFile::load(FTLAB_PART_DIR "/array-slc.toml");
    file.set("channels", "1", "test");
    file.set("dies_per_channel", "1", "test");
    file.set("segments", "64", "test");
    file.set("content", "bytes", "test");
    file.set("controller.descriptor", "0.1", "test");
    return load_array_spec(file);
  }
  static Ticks read_cycle() { return spec().timing.word; }
  static void power_on(Module&) {}
  static void enable_line(Master&) {}
  static Ticks make_busy(Master& master) {
    Bytes completions(4 * sizeof(array::Completion));
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(master.read(array::kCompletions, completions, delay), tlm::TLM_OK_RESPONSE);
    const array::Descriptor erase{.op = array::Op::erase, .report = 1};
    Bytes bytes(sizeof erase);
    std::memcpy(bytes.data(), &erase, sizeof erase);
    EXPECT_EQ(master.write(array::kDescriptors, bytes, delay), tlm::TLM_OK_RESPONSE);
    sc_core::wait(delay);
    const ArrayTiming timing = spec().timing;
    return timing.cycles.erase + timing.erase;
  }
  static bool busy(Master& master) { return (master.read16(kStatusWord) & array::status::kBusy) != 0; }
};

using Families = ::testing::Types<Series2PlusFamily, FlexOneNandFamily, ArrayFamily>;

struct FamilyName {
  template <class Family>
  static std::string GetName(int) {
    return Family::kName;
  }
};

}  // namespace ftlab::hw::testing
