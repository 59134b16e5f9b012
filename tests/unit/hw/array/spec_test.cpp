// Part files: what they say, and one clear line for what they do not.
#include "hw/array/spec/spec.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "hw/base/energy.h"
#include "hw/onenand/spec/spec.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::hw {
namespace {

constexpr const char* kParts[] = {"array-slc", "array-mlc", "array-tlc"};

spec::TomlFile part_file(const std::string& name) {
  return spec::TomlFile::load(std::string(FTLAB_PART_DIR) + "/" + name + ".toml");
}

ArraySpec part(const std::string& name) {
  auto file = part_file(name);
  return load_array_spec(file);
}

std::string error_with(const std::string& key, const std::string& value) {
  return test::error_text(
      [&] {
        auto file = part_file("array-mlc");
        file.set(key, value, "--set");
        load_array_spec(file);
      },
      "");
}

Ticks us(double value) { return ticks_from_ns(value * 1000); }

TEST(ArrayPartFile, every_part_loads_under_its_name_with_its_kind_of_cell) {
  for (std::uint32_t i = 0; i < 3; ++i) {
    const ArraySpec spec = part(kParts[i]);
    EXPECT_EQ(spec.name, kParts[i]);
    EXPECT_EQ(spec.bits_per_cell, i + 1);
    EXPECT_EQ(spec.wordline_pages, i + 1);
    EXPECT_EQ(spec.dies(), 32U);
    EXPECT_GE(spec.capacity_bytes(), std::uint64_t{1} << 29);
    EXPECT_LE(spec.capacity_bytes(), std::uint64_t{12} << 30);
    EXPECT_FALSE(spec.errors.any());
    EXPECT_EQ(spec.variation.die, 0);
    EXPECT_EQ(spec.variation.segment, 0);
  }
}

TEST(ArrayPartFile, programs_of_whole_wordlines_and_planes_are_checked_together) {
  const auto error_of = [](std::initializer_list<std::pair<const char*, const char*>> keys) {
    return test::error_text(
        [&] {
          auto file = part_file("array-tlc");
          for (const auto& [key, value] : keys) file.set(key, value, "--set");
          load_array_spec(file);
        },
        "");
  };
  EXPECT_EQ(
      error_of({{"one_shot_pages", "2"}}),
      "--set: one_shot_pages: must be 3 (bits_per_cell), or 1 where pages of a wordline are programmed one by one");
  EXPECT_NE(error_of({{"one_shot_pages", "3"}}).find("wordline_pages: must be 1 with one_shot_pages"),
            std::string::npos);
  EXPECT_EQ(error_of({{"one_shot_pages", "3"}, {"wordline_pages", "1"}}),
            "--set: one_shot_pages: needs timing.program, the time of a wordline's program");
  EXPECT_EQ(error_of({{"planes", "4"}, {"planes_at_once", "2"}}),
            "--set: planes_at_once: must be 4 (planes), or 1 where each works by itself");
  EXPECT_NE(error_of({{"planes", "4"}, {"planes_at_once", "4"}, {"pages_per_segment", "20000"}, {"segments", "128"}})
                .find("is more than 65,535 pages"),
            std::string::npos);
  EXPECT_NE(
      error_of(
          {{"pages_per_segment", "100"}, {"one_shot_pages", "3"}, {"wordline_pages", "1"}, {"timing.program", "1 ms"}})
          .find("must be whole wordlines of one_shot_pages"),
      std::string::npos);
}

TEST(ArrayPartFile, keys_that_files_leave_out_take_numbers_of_overrides_in_their_unit) {
  auto file = part_file("array-tlc");
  for (const auto& [key, value] : {std::pair{"one_shot_pages", "3"}, std::pair{"wordline_pages", "1"},
                                   std::pair{"timing.program", "1050"}, std::pair{"channel.output", "30 ns"}})
    file.set(key, value, "--set");
  const ArraySpec spec = load_array_spec(file);
  EXPECT_EQ(spec.pages_at_once, 3U);
  EXPECT_EQ(spec.timing.program[2], us(1050));
  EXPECT_EQ(spec.timing.cycles.output, us(0.03));
}

TEST(PartFiles, of_every_family_have_a_unit_and_a_source_for_every_number) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FTLAB_PART_DIR)) {
    const auto file = spec::TomlFile::load(entry.path().string());
    EXPECT_GT(file.quantities().size(), file.has("base") ? 10U : 35U) << entry.path();
    for (const auto& [key, quantity] : file.quantities()) {
      EXPECT_FALSE(quantity.unit.empty()) << entry.path() << " " << key;
      EXPECT_FALSE(quantity.source.empty()) << entry.path() << " " << key;
    }
    ++files;
  }
  EXPECT_GE(files, 3 + 4 + 6);
}

TEST(ArrayPartFile, pages_of_a_segment_take_turns_through_the_types) {
  const ArraySpec spec = part("array-tlc");
  EXPECT_EQ(spec.page_type(0), 0U);
  EXPECT_EQ(spec.page_type(1), 1U);
  EXPECT_EQ(spec.page_type(2), 2U);
  EXPECT_EQ(spec.page_type(3), 0U);
  EXPECT_EQ(spec.timing.read, (std::array{us(60), us(75), us(90), us(0)}));
  EXPECT_EQ(spec.timing.program, (std::array{us(700), us(1500), us(2200), us(0)}));
}

TEST(ArrayPartFile, rates_and_currents_become_times_and_powers) {
  const ArraySpec spec = part("array-slc");
  EXPECT_EQ(spec.timing.transfer, us(2048.0 / 50));
  EXPECT_EQ(spec.power.transfer, Picojoules{500 * 2048});
  EXPECT_EQ(spec.power.standby_nw, 33'000);
  EXPECT_EQ(spec.power.program_uw, 82'467) << "above standby";
}

TEST(ArrayPartFile, geometry_can_be_overridden) {
  auto file = part_file("array-mlc");
  for (const auto& [key, value] :
       {std::pair{"channels", "8"}, std::pair{"dies_per_channel", "4"}, std::pair{"planes", "4"},
        std::pair{"segments", "1280"}, std::pair{"pages_per_segment", "100"}, std::pair{"content", "none"}}) {
    file.set(key, value, "--set");
  }
  const ArraySpec spec = load_array_spec(file);
  EXPECT_EQ(spec.dies(), 32U);
  EXPECT_EQ(spec.segments_per_die(), 40U);
  EXPECT_EQ(spec.pages(), 128'000U);
  EXPECT_EQ(spec.content, array::Content::none);
}

TEST(ArrayPartFile, segments_that_do_not_divide_are_refused_with_those_that_would) {
  const std::string message = error_with("channels", "12");
  EXPECT_NE(message.find("segments"), std::string::npos) << message;
  EXPECT_NE(message.find("take"), std::string::npos) << message;
}

TEST(ArrayPartFile, impossible_numbers_are_refused_with_their_key) {
  const std::pair<const char*, const char*> cases[] = {{"channels", "0"},
                                                       {"channels", "65"},
                                                       {"dies_per_channel", "0"},
                                                       {"dies_per_channel", "65"},
                                                       {"planes", "0"},
                                                       {"planes", "17"},
                                                       {"segments", "0"},
                                                       {"segments", "16.5"},
                                                       {"segments", "1e8"},  // times 256 pages
                                                       {"pages_per_segment", "0"},
                                                       {"pages_per_segment", "65536"},
                                                       {"page_bytes", "511"},
                                                       {"page_bytes", "4097"},
                                                       {"page_bytes", "131072"},
                                                       {"bits_per_cell", "0"},
                                                       {"bits_per_cell", "4"},
                                                       {"bits_per_cell", "3"},  // no times for csb
                                                       {"wordline_pages", "0"},
                                                       {"wordline_pages", "3"},
                                                       {"content", "some"},
                                                       {"controller.open_wordlines", "some"},
                                                       {"controller.power_loss_protection", "1"},
                                                       {"controller.descriptor", "0"},
                                                       {"controller.word", "0"},
                                                       {"controller.buffer_slots", "0"},
                                                       {"controller.buffer_slots", "5000"},
                                                       {"channel.rate", "0"},
                                                       {"channel.command", "-1"},
                                                       {"channel.energy_per_byte", "-1"},
                                                       {"timing.read_lsb", "0"},
                                                       {"timing.program_msb", "0"},
                                                       {"timing.program_msb", "200000"},
                                                       {"timing.erase", "0"},
                                                       {"timing.erase", "101"},
                                                       {"timing.suspend", "-1"},
                                                       {"timing.resume", "-1"},
                                                       {"power.vcc", "0"},
                                                       {"power.icc_read", "0.001"},
                                                       {"power.icc_program", "0.001"},
                                                       {"power.icc_erase", "0.001"},
                                                       {"power.icc_standby", "-1"},
                                                       {"endurance.rated_cycles", "0"},
                                                       {"endurance.rated_cycles", "10.5"},
                                                       {"endurance.median_ratio", "0.5"},
                                                       {"endurance.spread", "6"},
                                                       {"endurance.program_growth", "-0.9"},
                                                       {"endurance.erase_growth", "2"},
                                                       {"endurance.drift_cap", "-1"},
                                                       {"variation.die", "0.5"},
                                                       {"variation.segment", "-0.1"},
                                                       {"variation.layers", "0.3"},
                                                       {"variation.layers", "-0.1"},
                                                       {"layers", "1001"},
                                                       {"errors.base", "0.5"},
                                                       {"errors.wear", "0.5"},
                                                       {"errors.wear_cycles", "-1"},
                                                       {"errors.wear_exponent", "11"},
                                                       {"errors.factor_lsb", "-1"},
                                                       {"errors.codeword_bytes", "100"},
                                                       {"errors.codeword_bytes", "3000"},
                                                       {"errors.move_bits", "1000"},
                                                       {"errors.correctable_bits", "-1"},
                                                       {"bad_segments.initial_share", "0.6"}};
  for (const auto& [key, value] : cases) {
    const std::string message = error_with(key, value);
    EXPECT_NE(message, "") << key << " = " << value;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  EXPECT_NE(error_with("timing.earse", "1").find("erase"), std::string::npos);
}

TEST(ArrayPartFile, variation_of_bit_errors_wants_some) {
  EXPECT_NE(error_with("variation.errors", "0.3").find("the part has none"), std::string::npos);
  auto layered = part_file("array-tlc-2021");
  layered.set("variation.layers", "0.3", "--set");
  EXPECT_NE(test::error_text([&] { load_array_spec(layered); }, "").find("variation.layers: is how bit errors differ"),
            std::string::npos);
}

TEST(ArrayPartFile, what_an_array_has_not_is_refused_with_the_reason) {
  for (const char* key : {"endurance.rated_slc", "errors.slc_cycle_scale"})
    EXPECT_NE(error_with(key, "1").find("hold bits_per_cell bits a cell"), std::string::npos) << key;
  EXPECT_NE(error_with("endurance.rated_partition", "1").find("no segment of partition information"),
            std::string::npos);
}

TEST(ArrayPartFile, another_kind_of_part_is_refused) {
  auto onenand = part_file("flexonenand-4gb");
  EXPECT_NE(test::error_text([&] { load_array_spec(onenand); }).find("family"), std::string::npos);
  auto array = part_file("array-slc");
  EXPECT_NE(test::error_text([&] { load_onenand_spec(array); }).find("array"), std::string::npos);
}

}  // namespace
}  // namespace ftlab::hw
