// [firmware.values]: what a program of one's own reads of what people write, and what is refused.
#include "platform/study/firmware_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "platform/study/firmware_row.h"
#include "platform/study/params.h"
#include "platform/study/result_file.h"
#include "tests/unit/platform/study/elf_head.h"
#include "tests/unit/platform/study/refusal.h"

namespace ftlab::platform {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class FirmwareValues : public testing::Test {
 protected:
  FirmwareValues() { ElfHead{}.write(file_); }
  ~FirmwareValues() override { std::filesystem::remove(file_); }

  [[nodiscard]] std::string study(const std::string& values) const {
    return "[firmware]\nelf = \"" + file_ + "\"\n[firmware.values]\n" + values;
  }
  [[nodiscard]] std::vector<FirmwareValue> values(const std::string& text, const std::vector<Setting>& settings = {}) {
    return parse_study(study(text), "s.toml", settings).configs.get<OwnProgram>().values;
  }
  [[nodiscard]] std::uint32_t number(const std::string& text) { return values("x = " + text + "\n").at(0).number; }
  [[nodiscard]] std::string refusal(const std::string& line) const { return refusal_of(study(line + "\n")); }

  std::string file_ = ::testing::TempDir() + "ftlab_firmware_values_" + std::to_string(::getpid());
};

TEST_F(FirmwareValues, numbers_are_what_the_program_reads) {
  EXPECT_EQ(number("8"), 8U);
  EXPECT_EQ(number("4294967295"), 4'294'967'295U);
  EXPECT_EQ(number("0x10"), 16U);
  EXPECT_EQ(number("true"), 1U);
  EXPECT_EQ(number("false"), 0U);
  EXPECT_EQ(number("\"16KiB\""), 16'384U);
  EXPECT_EQ(number("\"1.5 KiB\""), 1'536U);
  EXPECT_EQ(number("\"15 %\""), 150'000U);
  EXPECT_EQ(number("\"0.0001 %\""), 1U);
  EXPECT_EQ(number("\"2 ms\""), 2'000U);
  EXPECT_EQ(number("\"1 h\""), 3'600'000'000U);
}

TEST_F(FirmwareValues, names_are_the_programs_own) {
  const auto all = values("free_segments = 8\ncleaning.low-water = 3\n", {{"firmware.values.free_segments", "9"}});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "free_segments");
  EXPECT_EQ(all[0].number, 9U);
  EXPECT_EQ(all[0].where, "--set: firmware.values.free_segments: ");
  EXPECT_EQ(all[1].name, "cleaning.low-water");
  EXPECT_EQ(all[1].where, "s.toml:5: firmware.values.cleaning.low-water: ");
  EXPECT_THAT(refusal("\"a b\" = 1"), StartsWith("s.toml:4: 'a b' is not a key; use letters, digits, _ and -"));
  EXPECT_THAT(refusal(std::string(64, 'x') + " = 1"),
              HasSubstr("the name has 64 characters; a program asks for one of at most 63"));
  EXPECT_EQ(values(std::string(63, 'x') + " = 1\n").size(), 1U);
}

TEST_F(FirmwareValues, what_is_no_whole_number_of_32_bits_is_refused_at_its_line) {
  EXPECT_THAT(refusal("x = 0.9"), StartsWith("s.toml:4: firmware.values.x: must be an integer, not "));
  EXPECT_THAT(refusal("x = -1"), HasSubstr("-1 is out of range; give an integer from 0 to 4294967295"));
  EXPECT_THAT(refusal("x = 4294967296"), HasSubstr("is out of range"));
  EXPECT_THAT(refusal("x = [1, 2]"), HasSubstr("must be an integer, not "));
  EXPECT_EQ(refusal("x = \"fast\""),
            "s.toml:4: firmware.values.x: 'fast' is no number; give a whole number, true or false, or a number with a "
            "unit such as \"16KiB\", \"15 %\" or \"2 ms\"");
  EXPECT_EQ(refusal("x = \"5 V\""),
            "s.toml:4: firmware.values.x: '5 V' has a unit of another kind; give a size, a share in % or a time");
  EXPECT_EQ(refusal("x = \"4GiB\""),
            "s.toml:4: firmware.values.x: '4GiB' is 4294967296 bytes, and the program reads a whole number from 0 to "
            "4294967295");
  EXPECT_THAT(refusal("x = \"2 ns\""), HasSubstr("'2 ns' is 0.002 microseconds, and the program reads a whole number"));
  EXPECT_THAT(refusal("x = \"-5 %\""), HasSubstr("'-5 %' is -50000 millionths"));
}

TEST_F(FirmwareValues, without_a_program_of_ones_own_they_are_refused) {
  EXPECT_EQ(
      refusal_of("[firmware.values]\nx = 1\n"),
      "s.toml:2: firmware.values.x: is for a firmware of one's own; name its program by firmware.elf, or leave it "
      "out");
  EXPECT_EQ(refusal_of("[firmware.values]\n"), "no error") << "as the study of all keys has it";
  EXPECT_THAT(refusal_of("[firmware]\nvalues = 3\n"), HasSubstr("firmware.values: must be a table, not "));
}

TEST_F(FirmwareValues, a_result_has_them_and_gives_them_again) {
  const Study first = parse_study(study("a.b = \"15 %\"\non = true\n"), "s.toml");
  nlohmann::ordered_json config = resolved_config(first);
  EXPECT_EQ(config.at("firmware").at("values").dump(), R"({"a":{"b":150000},"on":true})");
  // As the run found them.
  config["ftl"]["page_bytes"] = config["workload"]["request_bytes"] = 4096;
  const nlohmann::ordered_json result{{"config", config}};
  EXPECT_EQ(resolved_config(study_of_result("result.json", result, {})), config);
  const std::vector<Setting> other{{"firmware.values.a.b", "7"}};
  EXPECT_EQ(resolved_config(study_of_result("result.json", result, other)).at("firmware").at("values").dump(),
            R"({"a":{"b":7},"on":true})");
  EXPECT_FALSE(resolved_config(parse_study("", "s.toml")).contains("firmware"));
}

}  // namespace
}  // namespace ftlab::platform
