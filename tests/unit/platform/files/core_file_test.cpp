// Core profiles: the shipped ones load, each number has a source, and a broken one is one line.
#include "platform/files/core_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/files/data_files.h"
#include "platform/study/study_files.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::platform {
namespace {

using test::error_text;

CoreSpec core_of(const std::string& study) { return load_core(parse_study(study, "s.toml")); }
std::string core_error(const std::string& study) {
  return error_text([&] { (void)core_of(study); });
}

TEST(CoreFile, every_shipped_core_loads_and_says_where_each_number_comes_from) {
  const auto names = data_names("cores");
  EXPECT_THAT(names, testing::IsSupersetOf({"cortex-m4", "rv32imc"}));
  for (const std::string& name : names) {
    const spec::TomlFile file = spec::TomlFile::load(data_file("cores", name, {}, "").string());
    EXPECT_EQ(load_core_spec(file, 0).name, name) << "file name and name differ";
    for (const auto& [key, quantity] : file.quantities()) EXPECT_GT(quantity.source.size(), 5U) << name << " " << key;
  }
}

TEST(CoreFile, a_processor_has_its_core_unless_the_study_names_one) {
  const CoreSpec arm = core_of("platform.processor = \"arm\"");
  EXPECT_EQ(arm.name, "cortex-m4");
  EXPECT_EQ(arm.hz, 64'000'000U);
  EXPECT_EQ(arm.timing.divide_most, 12);
  EXPECT_EQ(core_of("platform.processor = \"riscv\"").name, "rv32imc");
  EXPECT_EQ(
      core_error("core = \"rv32imc\"\nplatform.processor = \"arm\""),
      "s.toml:1: core: rv32imc executes programs of \"riscv\", and platform.processor is \"arm\"; give another one");
  EXPECT_EQ(core_error("core = \"cortex-m5\"\nplatform.processor = \"arm\""),
            "s.toml:1: core: no core named 'cortex-m5'; did you mean 'cortex-m4'?");
}

TEST(CoreFile, flash_waits_the_longer_the_faster_the_core) {
  // The frequencies up to which the microcontroller's data sheet allows so many wait states, and one more each.
  constexpr std::pair<int, unsigned> kRows[] = {{24, 0}, {26, 1}, {51, 1},  {52, 2},
                                                {77, 2}, {78, 3}, {101, 3}, {119, 4}};
  for (const auto& [mhz, waits] : kRows)
    EXPECT_EQ(core_of(fmt::format("platform.processor = \"arm\"\nplatform.core_mhz = {}", mhz)).timing.flash.miss,
              waits)
        << mhz;
  const FlashTiming flash = core_of("platform.processor = \"arm\"").timing.flash;
  EXPECT_EQ(flash.sets, 64U);
  EXPECT_EQ(flash.ways, 4U);
}

TEST(CoreFile, study_overrides_reach_the_profile) {
  const CoreSpec core =
      core_of("platform.processor = \"arm\"\n[core_overrides]\ncycles.multiply = 3\nclock = \"120 MHz\"\n");
  EXPECT_EQ(core.timing.multiply, 3);
  EXPECT_EQ(core.hz, 120'000'000U);
}

TEST(CoreFile, wrong_numbers_name_the_line_of_the_study) {
  const auto error = [](const std::string& line) {
    return core_error("platform.processor = \"riscv\"\n[core_overrides]\n" + line + "\n");
  };
  EXPECT_EQ(error("cycles.multipy = 1"),
            "s.toml:3: core_overrides: cycles.multipy: unknown key; did you mean 'cycles.multiply'?");
  // Loads of several registers are of the other instruction set.
  EXPECT_THAT(error("cycles.multiple = 1"),
              testing::HasSubstr("s.toml:3: core_overrides: cycles.multiple: unknown key"));
  EXPECT_THAT(error("cycles.alu = 0"), testing::HasSubstr("cycles.alu: 0 cycles is out of range"));
  EXPECT_THAT(error("cycles.load = 1.5"), testing::HasSubstr("cycles.load: 1.5 is no whole number"));
  EXPECT_THAT(error("memory.lines = 48"), testing::HasSubstr("memory.lines: 48 is not a power of two; use 32 or 64"));
  EXPECT_THAT(error("memory.lines = 4"), testing::HasSubstr("4 lines of 4 ways make less than two sets"));
  EXPECT_THAT(error("cycles.branch_not_taken = 9"), testing::HasSubstr("9 cycles, and cycles.branch_taken are 3"));
  EXPECT_THAT(error("clock = \"1.0001 MHz\""), testing::HasSubstr("is no whole number of kHz"));
}

TEST(CoreFile, a_study_without_a_core_says_nothing_of_one) {
  EXPECT_FALSE(resolved_config(parse_study("", "s.toml")).contains("core"));
  EXPECT_FALSE(resolved_config(parse_study("", "s.toml")).contains("core_overrides"));
  const auto config = resolved_config(parse_study("platform.processor = \"riscv\"", "s.toml"));
  EXPECT_EQ(config.at("core"), "rv32imc");
  EXPECT_EQ(study_documents(parse_study("platform.processor = \"riscv\"", "s.toml")).at("core").at("name"), "rv32imc");
}

}  // namespace
}  // namespace ftlab::platform
