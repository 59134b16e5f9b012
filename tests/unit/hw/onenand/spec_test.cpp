// Part files and their profiles: what they say, and one clear line for what they do not.
#include "hw/onenand/spec/spec.h"

#include <gtest/gtest.h>

#include <tuple>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "hw/series2plus/spec/spec.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::hw {
namespace {

spec::TomlFile part_file(const std::string& name) {
  return spec::TomlFile::load(std::string(FTLAB_PART_DIR) + "/" + name + ".toml");
}

constexpr const char* kParts[] = {"flexonenand-4gb", "flexonenand-8gb-ddp", "flexonenand-8gb", "flexonenand-16gb-ddp"};

Ticks us(double value) { return ticks_from_ns(value * 1000); }

std::string error_with(const std::string& key, const std::string& value) {
  return test::error_text(
      [&] {
        auto file = part_file("flexonenand-4gb");
        file.set(key, value, "--set");
        load_onenand_spec(file);
      },
      "");
}

TEST(OneNandPartFile, every_part_has_the_geometry_of_its_device_id) {
  const std::tuple<const char*, std::uint32_t, std::uint32_t, std::uint16_t> parts[] = {{kParts[0], 1, 1024, 0x0250},
                                                                                        {kParts[1], 2, 1024, 0x0268},
                                                                                        {kParts[2], 1, 2048, 0x0260},
                                                                                        {kParts[3], 2, 2048, 0x0278}};
  for (const auto& [name, dies, segments, id] : parts) {
    auto file = part_file(name);
    const OneNandSpec spec = load_onenand_spec(file);
    EXPECT_EQ(spec.name, name);
    EXPECT_EQ(spec.dies, dies) << name;
    EXPECT_EQ(spec.segments_per_die, segments) << name;
    EXPECT_EQ(spec.device_id, id) << name;
    EXPECT_EQ(spec.profile, "datasheet-typ");
  }
}

TEST(OneNandPartFile, every_profile_of_every_part_loads) {
  for (const char* name : kParts) {
    for (const std::string& profile : onenand_profiles(part_file(name))) {
      auto file = part_file(name);
      EXPECT_EQ(load_onenand_spec(file, profile).profile, profile) << name;
    }
  }
}

TEST(OneNandProfiles, default_is_the_data_sheet_and_calibration_replaces_some_times) {
  auto typical_file = part_file("flexonenand-4gb");
  auto calibrated_file = part_file("flexonenand-4gb");
  const OneNandSpec typical = load_onenand_spec(typical_file);
  const OneNandSpec calibrated = load_onenand_spec(calibrated_file, "flexfs-calibrated");
  EXPECT_EQ(typical.timing.program, (std::array{us(240), us(240), us(1760)}));
  EXPECT_EQ(typical.timing.erase_mlc, us(500));
  EXPECT_EQ(calibrated.timing.program, (std::array{us(240), us(254), us(1380)}));
  EXPECT_EQ(calibrated.timing.load, (std::array{us(45), us(50), us(50)}));
  EXPECT_EQ(calibrated.timing.erase_slc, us(845));
  EXPECT_EQ(calibrated.timing.erase_mlc, us(857));
  EXPECT_EQ(calibrated.timing.transfer, typical.timing.transfer);
}

TEST(OneNandProfiles, calibration_keeps_the_ratios_of_the_measured_die_on_the_other_one) {
  const auto ratios = [](const char* part) {
    auto typical_file = part_file(part);
    auto calibrated_file = part_file(part);
    const OneNandTiming typical = load_onenand_spec(typical_file).timing;
    const OneNandTiming calibrated = load_onenand_spec(calibrated_file, "flexfs-calibrated").timing;
    const auto ratio = [](Ticks a, Ticks b) { return static_cast<double>(a.count()) / static_cast<double>(b.count()); };
    return std::array{ratio(calibrated.program[1], typical.program[1]),
                      ratio(calibrated.program[2], typical.program[2]), ratio(calibrated.erase_slc, typical.erase_slc),
                      ratio(calibrated.erase_mlc, typical.erase_mlc)};
  };
  const auto measured = ratios("flexonenand-4gb");
  for (const char* part : kParts) {
    const auto here = ratios(part);
    for (std::size_t i = 0; i < measured.size(); ++i) EXPECT_NEAR(here[i], measured[i], 1e-3) << part << " " << i;
  }
}

TEST(OneNandProfiles, override_wins_over_the_profile) {
  auto file = part_file("flexonenand-4gb");
  file.set("timing.program_msb", "900", "--set");
  EXPECT_EQ(load_onenand_spec(file, "flexfs-calibrated").timing.program[2], us(900));
}

TEST(OneNandProfiles, unknown_profile_is_refused_with_the_names) {
  const std::string message = test::error_text([] {
    auto file = part_file("flexonenand-4gb");
    load_onenand_spec(file, "flexfs");
  });
  EXPECT_NE(message.find("flexfs-calibrated"), std::string::npos) << message;
  EXPECT_NE(message.find("datasheet-typ"), std::string::npos) << message;
}

TEST(OneNandProfiles, numbers_that_the_run_does_not_use_are_checked) {
  const char* const kEndless = "{ value = 1e300, unit = \"s\", source = \"test\" }";
  for (const char* chosen : {"datasheet-typ", "flexfs-calibrated"}) {
    for (const char* key : {"timing.load_mlc", "profiles.flexfs-calibrated.timing.load_mlc"}) {
      const std::string message = test::error_text([&] {
        auto file = part_file("flexonenand-4gb");
        file.change(key, kEndless, "parts.toml:7");
        load_onenand_spec(file, chosen);
      });
      EXPECT_NE(message.find("timing.load_mlc: 1e+300 s is out of range"), std::string::npos)
          << chosen << " " << key << ": " << message;
    }
  }
}

TEST(OneNandProfiles, profile_key_without_a_number_to_replace_is_refused) {
  EXPECT_NE(error_with("profiles.mine.timing.tprog", "5").find("profiles.mine.timing.tprog"), std::string::npos);
}

TEST(PartFamily, other_kind_of_part_is_refused_by_both_loaders) {
  const std::string as_onenand = test::error_text([] {
    auto file = part_file("series2plus-24mb");
    load_onenand_spec(file);
  });
  EXPECT_NE(as_onenand.find("family"), std::string::npos) << as_onenand;
  const std::string as_card = test::error_text([] {
    auto file = part_file("flexonenand-4gb");
    load_card_spec(file, Voltage::v5);
  });
  EXPECT_NE(as_card.find("series2plus"), std::string::npos) << as_card;
}

TEST(OneNandPartFile, impossible_numbers_are_refused_with_their_key) {
  const std::pair<const char*, const char*> cases[] = {{"segments_per_die", "1000"},
                                                       {"dies", "3"},
                                                       {"dies", "2"},
                                                       {"timing.program_lsb", "20"},
                                                       {"timing.erase_mlc", "0"},
                                                       {"timing.erase_timeout", "1"},
                                                       {"power.icc_load", "0.001"},
                                                       {"endurance.program_growth", "-0.9"},
                                                       {"bad_segments.reserve", "5000"},
                                                       {"errors.base", "0.5"},
                                                       {"endurance.rated_cycles", "10.5"},
                                                       {"timing.program_timeout_ratio", "0.5"}};
  for (const auto& [key, value] : cases) {
    const std::string message = error_with(key, value);
    EXPECT_NE(message, "") << key << " = " << value;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  EXPECT_NE(error_with("timing.erase_mcl", "1").find("erase_mlc"), std::string::npos);
}

TEST(OneNandPartFile, ecc_of_the_part_is_no_choice) {
  for (const char* key : {"errors.codeword_bytes", "errors.correctable_bits", "errors.move_bits"})
    EXPECT_NE(error_with(key, "2").find("the part has its ECC on the die"), std::string::npos) << key;
}

}  // namespace
}  // namespace ftlab::hw
