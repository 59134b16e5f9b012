#include "platform/laboratory/reproduce/unpublished_parameters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "platform/files/study_files.h"
#include "platform/study/params.h"

namespace ftlab::platform {
namespace {

Study flexfs_study(std::vector<Setting> more = {}) {
  std::vector<Setting> settings{{"part", "flexonenand-4gb"},   {"part_profile", "flexfs-calibrated"},
                                {"host", "omap2420-400"},      {"ftl.firmware", "flexfs"},
                                {"workload.kind", "scenario"}, {"workload.scenario", "flexfs-mobile"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return parse_study("", "test", settings);
}

const UnpublishedParameter& named(const std::vector<UnpublishedParameter>& values, const std::string& name) {
  const auto found = std::ranges::find(values, name, &UnpublishedParameter::name);
  if (found == values.end()) throw std::runtime_error("no value " + name);
  return *found;
}

std::vector<std::string> texts(const UnpublishedParameter& value) {
  std::vector<std::string> list;
  for (const ParameterVariant& variant : value.variants) list.push_back(variant.text);
  return list;
}

using Texts = std::vector<std::string>;

TEST(UnpublishedParameters, every_key_marked_as_not_published_is_varied) {
  const auto values = unpublished_keys(flexfs_study(), "flexfs");
  for (const Param& param : params()) {
    const bool marked = param.help.find("(unpublished)") != std::string::npos;
    EXPECT_EQ(marked, param.unpublished) << param.key;
    if (!param.unpublished || !param.key.starts_with("flexfs.")) continue;
    EXPECT_FALSE(named(values, param.key).variants.empty()) << param.key;
  }
}

TEST(UnpublishedParameters, whole_numbers_are_rounded_away_and_kept_in_their_range) {
  const auto values = unpublished_keys(flexfs_study(), "flexfs");
  EXPECT_EQ(named(values, "flexfs.recent_weight").used, "2");
  EXPECT_EQ(texts(named(values, "flexfs.recent_weight")), (Texts{"1", "3"}));
  EXPECT_EQ(texts(named(values, "flexfs.hot_files")), (Texts{"51 files", "77 files"}));
  EXPECT_EQ(texts(named(values, "flexfs.cleaning_free")), (Texts{"4 segments"})) << "3 is the least allowed";
}

TEST(UnpublishedParameters, switches_and_names_take_every_other_choice) {
  const auto values = unpublished_keys(flexfs_study({{"flexfs.free_choice", "fifo"}}), "flexfs");
  EXPECT_EQ(texts(named(values, "flexfs.idle_beyond_wait")), (Texts{"false"}));
  EXPECT_EQ(named(values, "flexfs.free_choice").used, "fifo") << "what the study says, not the default";
  EXPECT_EQ(texts(named(values, "flexfs.free_choice")), (Texts{"fewest_erases"}));
}

TEST(UnpublishedParameters, judged_and_fitted_numbers_of_host_and_part_keep_their_units) {
  const Study study = flexfs_study();
  EXPECT_EQ(texts(named(host_values(study), "host work.page_write")), (Texts{"704 us", "1056 us"}));
  const auto power = part_values(study, "power");
  EXPECT_EQ(texts(named(power, "part power.icc_program")), (Texts{"20 mA", "30 mA"}));
  EXPECT_EQ(std::ranges::find(power, "part power.vcc", &UnpublishedParameter::name), power.end()) << "published";
}

TEST(UnpublishedParameters, numbers_of_one_name_in_several_tables_change_together) {
  const auto values = scenario_values(flexfs_study());
  const UnpublishedParameter& writes = named(values, "scenario writes");
  EXPECT_EQ(writes.used, "as given");
  EXPECT_EQ(texts(writes), (Texts{"-20 %", "+20 %"}));
  EXPECT_EQ(writes.variants[0].settings.size(), 4U) << "four programs";
  EXPECT_EQ(writes.variants[0].settings[0].key, "scenario_overrides.interactive.sms.writes");
  EXPECT_EQ(writes.variants[0].settings[0].text, "\"5120 1\"");
}

TEST(UnpublishedParameters, judged_numbers_of_a_scenario_stand_alone) {
  const auto values = scenario_values(flexfs_study());
  EXPECT_EQ(texts(named(values, "scenario downloads.mp3.period")), (Texts{"12 s", "18 s"}));
  EXPECT_EQ(texts(named(values, "scenario period")), (Texts{"160 s", "240 s"})) << "the camera's, which is free";
}

TEST(UnpublishedParameters, sizes_of_several_pages_stay_whole_pages) {
  const auto values = scenario_values(flexfs_study({{"workload.scenario", "flexfs-busy"}}));
  EXPECT_EQ(named(values, "scenario file").variants[0].settings[0].text, "\"0.80078125 MiB\"") << "205 of 256 pages";
  EXPECT_EQ(named(values, "scenario request").variants[0].settings[0].text, "\"3277 B\"") << "of one page, whole bytes";
}

TEST(UnpublishedParameters, every_variant_is_a_study) {
  for (const char* scenario :
       {"flexfs-idle", "flexfs-busy", "flexfs-locality", "flexfs-response", "flexfs-endurance", "flexfs-mobile"}) {
    const std::vector<Setting> base{{"workload.scenario", scenario}};
    const Study study = flexfs_study(base);
    std::set<std::string> names;
    for (const UnpublishedParameter& value :
         joined({unpublished_keys(study, "flexfs"), host_values(study), scenario_values(study)})) {
      EXPECT_TRUE(names.insert(value.name).second) << value.name;
      for (const ParameterVariant& variant : value.variants) {
        std::vector<Setting> settings = base;
        settings.insert(settings.end(), variant.settings.begin(), variant.settings.end());
        const std::string what = std::string(scenario) + " " + value.name + " " + variant.text;
        EXPECT_NO_THROW({
          const Study changed = flexfs_study(settings);
          (void)load_scenario(changed);
          (void)load_host(changed);
        }) << what;
      }
    }
  }
}

}  // namespace
}  // namespace ftlab::platform
