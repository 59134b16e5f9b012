// The parameter table is complete and consistent, and the study made of it reads back to the defaults.
#include "platform/study/params.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace ftlab::platform {
namespace {

TEST(Params, keys_are_unique_and_every_row_has_help) {
  std::set<std::string> seen;
  for (const Param& p : params()) {
    EXPECT_TRUE(seen.insert(p.key).second) << p.key;
    EXPECT_FALSE(p.help.empty()) << p.key;
    EXPECT_FALSE(p.help.ends_with('.')) << p.key;
    EXPECT_TRUE(p.write) << p.key;
    if (p.type != ParamType::number) {
      EXPECT_EQ(p.type == ParamType::choice, !p.choices.empty()) << p.key;
    }
    EXPECT_LE(p.min, p.max) << p.key;
  }
}

TEST(Params, keys_that_users_rely_on_exist) {
  for (const char* key : {"part", "host", "seed", "voltage", "ftl.page_bytes", "ftl.utilization", "ftl.spare_factor",
                          "ftl.selection", "ftl.redistribution", "ftl.update", "workload.kind", "workload.hot_access",
                          "workload.hot_data", "workload.total_mib", "workload.path", "workload.format"}) {
    EXPECT_NE(find_param(key), nullptr) << key;
  }
  EXPECT_EQ(find_param("ftl.nothing"), nullptr);
}

TEST(Params, template_reads_back_to_the_defaults) {
  EXPECT_EQ(resolved_config(parse_study(study_template(), "t.toml")), resolved_config(parse_study("", "t.toml")));
}

TEST(Params, template_names_every_key_and_its_help) {
  const std::string text = study_template();
  for (const Param& p : params()) {
    const std::string name = p.key.substr(p.key.rfind('.') + 1);
    EXPECT_THAT(text, testing::HasSubstr("\n# " + p.help + "\n")) << p.key;
    EXPECT_THAT(text,
                testing::AnyOf(testing::HasSubstr("\n" + name + " = "), testing::HasSubstr("\n# " + name + " =")));
  }
}

TEST(Params, resolved_configuration_reads_back_to_itself) {
  const Study study = parse_study("voltage = \"3.3V\"\n[ftl]\nspare_factor = 0.15\nselection = \"greedy\"\n", "t.toml");
  const auto config = resolved_config(study);
  std::vector<Setting> settings;
  for (const Param& p : params()) {
    std::string path = p.key;
    std::replace(path.begin(), path.end(), '.', '/');
    path.insert(path.begin(), '/');
    const nlohmann::ordered_json::json_pointer pointer(path);
    if (config.contains(pointer)) settings.push_back({p.key, config[pointer].dump()});
  }
  EXPECT_EQ(resolved_config(parse_study("", "t.toml", settings)), config);
}

TEST(Params, every_choice_can_be_chosen_and_is_read_back) {
  for (const Param& p : params()) {
    for (const std::string& choice : p.choices) {
      Study study;
      p.write(study, choice);
      EXPECT_EQ(std::get<std::string>(p.read(study)), choice) << p.key;
    }
  }
}

TEST(Params, ranges_are_written_for_people) {
  EXPECT_EQ(range_text(*find_param("ftl.utilization")), "0.01 .. 0.99");
  EXPECT_EQ(range_text(*find_param("seed")), "0 or more");
  EXPECT_EQ(range_text(*find_param("workload.write_scale")), "1e-06 .. 1e+06 | fit");
  EXPECT_EQ(range_text(*find_param("voltage")), "5V | 3.3V");
  EXPECT_EQ(range_text(*find_param("workload.fill")), "");
}

}  // namespace
}  // namespace ftlab::platform
