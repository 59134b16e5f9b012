// A firmware from outside the tree has keys, defaults, rules, a title and a model like those of the tree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/input_error.h"
#include "platform/firmwares/firmware_instance.h"
#include "platform/measure/model_beside.h"
#include "platform/measure/run_titles.h"
#include "platform/study/firmware_keys.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::platform {
namespace {

using test::error_text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct OwnConfig {
  std::uint32_t reserve = 4;
  std::uint64_t wait_ns = 2'000'000'000;
};

constexpr Field<OwnConfig> kOwnFields[] = {
    integer_field<&OwnConfig::reserve>("reserve", "segments", 1, 100, "segments that hold no data"),
    scaled_field<&OwnConfig::wait_ns>("wait_s", "s", 1e9, 0, 1e6, "idle time before it cleans"),
};

std::string_view selection_name(std::size_t i) {
  constexpr std::string_view kNames[] = {"newest", "greedy"};
  return i < std::size(kNames) ? kNames[i] : std::string_view{};
}

const OwnConfig& config_of(const Study& study) { return study.configs.get<OwnConfig>(); }

constexpr FirmwareRow kOwn{
    .name = "own",
    .help = "a firmware of somebody else",
    .title = [](const Study& study) { return "own, " + study.ftl.selection; },
    .make = [](const Study&, const FirmwarePorts&) -> std::unique_ptr<FirmwareInstance> { return nullptr; },
    .table = {"own", "Somebody's own"},
    .keys =
        [](FirmwareKeys& keys) {
          keys.share_selection(selection_name);
          keys.add(kOwnFields);
        },
    .selection = []() -> std::string_view { return "newest"; },
    .defaults =
        [](Study& study, const Given& given) {
          if (!given("host")) study.host = "486dx-33";
        },
    .check =
        [](const spec::TomlFile& file, const Study& study) {
          if (config_of(study).reserve == 13) throw InputError(file.where("own.reserve") + "brings bad luck");
        },
    .remark = [](const Study&, const PartKind& part, const Given&,
                 std::vector<std::string>& lines) { lines.push_back("on a part of " + part.family); },
    .not_on_arrays = "is not for arrays",
    .modelled = [](const Study& study) -> std::optional<ModelledCleaning> {
      if (study.ftl.selection != "greedy") return std::nullopt;
      return ModelledCleaning{study.ftl.selection};
    }};

/// Before anything reads a study.
const bool kAdded = [] {
  add_firmware(kOwn);
  return true;
}();

Study own(std::string_view more) { return parse_study("ftl.firmware = \"own\"\n" + std::string(more), "s.toml"); }

TEST(OutsideFirmware, its_keys_are_keys_with_the_defaults_of_their_struct) {
  ASSERT_TRUE(kAdded);
  const Param* wait = find_param("own.wait_s");
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->fallback, "2");
  EXPECT_EQ(table_help("own"), "Somebody's own");
  EXPECT_THAT(study_template(), HasSubstr("[own]  # Somebody's own\n"));
  EXPECT_EQ(config_of(own("")).wait_ns, 2'000'000'000U);
  const Study study = own("own = { reserve = 7, wait = \"3 ms\" }\n");
  EXPECT_EQ(config_of(study).reserve, 7U);
  EXPECT_EQ(config_of(study).wait_ns, 3'000'000U);
  EXPECT_EQ(resolved_config(study)["own"]["reserve"], 7);
  EXPECT_EQ(error_text([] { (void)own("own.reserve = 0\n"); }),
            "s.toml:2: own.reserve: 0 is out of range; give an integer from 1 to 100");
  EXPECT_THAT(parse_study("own.reserve = 7\n", "s.toml").notes,
              ElementsAre("s.toml:1: own.reserve: has no effect in this study; it counts with ftl.firmware = \"own\""));
}

TEST(OutsideFirmware, names_of_a_shared_key_are_its_own) {
  EXPECT_EQ(own("").ftl.selection, "newest");
  EXPECT_EQ(own("ftl.selection = \"greedy\"\n").ftl.selection, "greedy");
  EXPECT_EQ(error_text([] { (void)own("ftl.selection = \"cat\"\n"); }),
            "s.toml:2: ftl.selection: 'cat' is no selection of ftl.firmware = \"own\"; use newest, greedy");
  EXPECT_THAT(error_text([] { (void)parse_study("ftl.selection = \"newest\"\n", "s.toml"); }),
              HasSubstr("'newest' is no selection of ftl.firmware = \"fms\""));
  EXPECT_THAT(find_param("ftl.selection")->help, testing::EndsWith("and own starts with newest"));
  EXPECT_THAT(error_text([] { (void)own("ftl.erase = \"overlap\"\n"); }),
              HasSubstr("ftl.firmware = \"own\" waits for each erase; use \"wait\", or the firmware fms or page"));
}

TEST(OutsideFirmware, defaults_rules_and_remarks_are_its_own) {
  EXPECT_EQ(own("").host, "486dx-33");
  EXPECT_EQ(own("host = \"pentium-133\"\n").host, "pentium-133");
  EXPECT_EQ(parse_study("", "s.toml").host, "pentium-133");
  EXPECT_EQ(error_text([] { (void)own("own.reserve = 13\n"); }), "s.toml:2: own.reserve: brings bad luck");
  EXPECT_THAT(own("").notes, ElementsAre("on a part of series2plus"));
  EXPECT_THAT(parse_study("", "s.toml").notes, IsEmpty());
}

TEST(OutsideFirmware, head_of_a_result_names_it_with_the_keys_that_are_no_defaults) {
  nlohmann::ordered_json sections;
  sections["device"] = {{"title", "A card"}, {"supply_v", 5.0}, {"host_title", "A host"}};
  sections["workload"] = {{"title", "a workload"}};
  EXPECT_EQ(run_titles(own("own.reserve = 7\nftl.selection = \"greedy\"\n"), sections)["firmware"],
            "own, greedy, 4 KiB pages, 90.0 % full, selection = greedy, reserve = 7 segments");
}

TEST(OutsideFirmware, a_model_stands_beside_what_it_says_is_modelled) {
  constexpr PageSpace kSpace{.logical_pages = 5952, .usable_pages = 6400, .pages_per_segment = 64, .page_bytes = 4096};
  const std::string uniform = "workload = { kind = \"uniform\" }\n";
  EXPECT_FALSE(model_beside(own(uniform), kSpace));
  const auto found = model_beside(own(uniform + "ftl.selection = \"greedy\"\n"), kSpace);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "greedy_exact");
}

TEST(OutsideFirmware, names_and_keys_are_had_by_one) {
  EXPECT_THROW(add_firmware(kOwn), std::logic_error);
  static constexpr FirmwareRow kOfAnotherLayer{.name = "fms", .help = "another"};
  EXPECT_THROW(add_firmware(kOfAnotherLayer), std::logic_error);
  static constexpr FirmwareRow kSameKeys{
      .name = "same_keys", .table = {"own", ""}, .keys = [](FirmwareKeys& keys) { keys.add(kOwnFields); }};
  EXPECT_NO_THROW((void)keys_of_firmwares());
  add_firmware(kSameKeys);
  EXPECT_THROW((void)keys_of_firmwares(), std::logic_error);
}

}  // namespace
}  // namespace ftlab::platform
