// Part files: what they say, which geometries they allow, and one clear line for what they do not.
#include "hw/series2plus/spec/spec.h"

#include <gtest/gtest.h>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::hw {
namespace {

spec::TomlFile part(const std::string& name) {
  return spec::TomlFile::load(std::string(FTLAB_PART_DIR) + "/" + name + ".toml");
}

CardSpec with(const std::string& key, const std::string& value, const std::string& name = "series2plus-24mb") {
  auto file = part(name);
  file.set(key, value, "--set");
  return load_card_spec(file, Voltage::v5);
}

std::string error_of(const std::string& key, const std::string& value) {
  return test::error_text([&] { with(key, value); }, "");
}

TEST(PartFile, every_card_of_the_family_has_its_geometry) {
  const std::tuple<const char*, std::uint32_t, std::uint32_t> cards[] = {
      {"series2plus-4mb", 1, 32},  {"series2plus-8mb", 2, 32},     {"series2plus-20mb", 5, 32},
      {"series2plus-24mb", 6, 32}, {"series2plus-24mb-dd", 6, 32}, {"series2plus-40mb", 10, 32}};
  for (const auto& [name, pairs, segments] : cards) {
    auto file = part(name);
    const CardSpec spec = load_card_spec(file, Voltage::v5);
    EXPECT_EQ(spec.name, name);
    EXPECT_EQ(spec.pairs, pairs) << name;
    EXPECT_EQ(spec.segments_per_pair, segments) << name;
    EXPECT_EQ(spec.segment_bytes, 128U * 1024) << name;
  }
}

TEST(PartFile, voltages_have_their_own_times_and_powers) {
  auto at_5v = part("series2plus-24mb");
  auto at_3v3 = part("series2plus-24mb");
  const CardSpec fast = load_card_spec(at_5v, Voltage::v5);
  const CardSpec slow = load_card_spec(at_3v3, Voltage::v3_3);
  EXPECT_EQ(fast.timing.common_cycle, ticks_from_ns(150));
  EXPECT_EQ(slow.timing.common_cycle, ticks_from_ns(250));
  EXPECT_EQ(fast.timing.erase, Ticks(std::chrono::milliseconds(600)));
  EXPECT_EQ(slow.timing.erase, Ticks(std::chrono::milliseconds(800)));
  EXPECT_EQ(fast.power.program_uw.socket, 208'738);  // 25 mA x 5 V + 7 mA x 12 V, less standby and leakage
  EXPECT_EQ(slow.power.program_uw.socket, 146'223);
}

TEST(PartFile, currents_are_those_of_one_die_whatever_its_package) {
  auto single = part("series2plus-20mb");
  auto dual = part("series2plus-40mb");
  const CardPower one = load_card_spec(single, Voltage::v5).power;
  const CardPower two = load_card_spec(dual, Voltage::v5).power;
  EXPECT_EQ(one.standby_nw, 250'000);
  EXPECT_EQ(two.standby_nw, one.standby_nw);
  EXPECT_EQ(two.sleep_nw, one.sleep_nw);
  EXPECT_EQ(two.erase_uw.socket, one.erase_uw.socket);
}

TEST(Series2PlusOverrides, smaller_segments_give_more_of_them) {
  const CardSpec spec = with("segment_kib", "64");
  EXPECT_EQ(spec.segments_per_pair, 64U);
  EXPECT_EQ(spec.capacity_bytes(), 24U * 1024 * 1024);
}

TEST(Series2PlusOverrides, larger_capacity_gives_more_pairs) {
  const CardSpec spec = with("capacity_mib", "40");
  EXPECT_EQ(spec.pairs, 10U);
  EXPECT_EQ(spec.segments(), 320U);
}

TEST(Series2PlusOverrides, larger_pairs_give_fewer_of_them) {
  const CardSpec spec = with("pair_mib", "8");
  EXPECT_EQ(spec.pairs, 3U);
  EXPECT_EQ(spec.segments_per_pair, 64U);
}

TEST(Series2PlusOverrides, any_number_can_be_changed) {
  EXPECT_EQ(with("timing.5V.erase", "0.3").timing.erase, Ticks(std::chrono::milliseconds(300)));
}

TEST(Series2PlusOverrides, what_a_card_has_not_is_refused_with_the_reason) {
  EXPECT_NE(error_of("errors.base", "1e-6").find("a card has no bit errors to draw"), std::string::npos);
  EXPECT_NE(error_of("endurance.drift_cap", "2").find("no source gives an end"), std::string::npos);
  for (const char* key : {"endurance.rated_slc", "endurance.rated_partition"})
    EXPECT_NE(error_of(key, "2").find("all of one kind"), std::string::npos) << key;
}

TEST(ImpossibleGeometry, is_refused_with_file_key_and_reason) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"segment_kib", "100", "power of two"},    {"segment_kib", "2", "segment_kib"},
      {"capacity_mib", "23", "component pairs"}, {"capacity_mib", "128", "capacity_mib"},
      {"capacity_mib", "24.5", "whole number"},  {"pair_mib", "3", "power of two"},
      {"pair_mib", "16", "component pairs"},
  };
  for (const auto& [key, value, reason] : cases) {
    const std::string message = error_of(key, value);
    EXPECT_NE(message.find(key), std::string::npos) << key << " = " << value << ": " << message;
    EXPECT_NE(message.find(reason), std::string::npos) << key << " = " << value << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(ImpossibleNumbers, are_refused) {
  EXPECT_NE(error_of("timing.5V.erase", "0"), "");
  EXPECT_NE(error_of("timing.5V.erase", "20"), "") << "longer than its time-out";
  EXPECT_NE(error_of("timing.3V3.word_program", "-1"), "") << "the other voltage is checked too";
  EXPECT_NE(error_of("power.5V.icc_read", "0.001"), "") << "below standby";
  EXPECT_NE(error_of("power.5V.generator_efficiency", "1.5"), "");
  EXPECT_NE(error_of("endurance.erase_growth", "19"), "") << "longer than its time-out within the rated cycles";
  EXPECT_NE(error_of("endurance.median_ratio", "0.9"), "") << "below the rated cycles";
}

TEST(PartFile, unknown_key_is_refused) {
  EXPECT_NE(error_of("timing.5V.erasse", "1").find("erasse"), std::string::npos);
}

}  // namespace
}  // namespace ftlab::hw
