// Scenario files: the shipped ones load, say where each number comes from, and add up to what is published.
#include "platform/files/scenario_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/files/data_files.h"
#include "platform/study/study_files.h"
#include "tests/fixtures/error_text.h"
#include "workloads/scenarios/scenario_source.h"

namespace ftlab::platform {
namespace {

using test::error_text;
using workloads::Request;
using workloads::RequestKind;

spec::TomlFile shipped_scenario(const std::string& name) {
  return spec::TomlFile::load(data_file("scenarios", name, {}, "").string());
}

std::vector<Request> requests_of(const std::string& name) {
  constexpr std::uint64_t kDevice = 512 * kMiB;
  const auto source = workloads::make_scenario(load_scenario_config(shipped_scenario(name)), kDevice, 1, true);
  std::vector<Request> all(source->size_hint());
  EXPECT_EQ(source->next(all), all.size());
  return all;
}

double mib(const std::vector<Request>& requests, RequestKind kind) {
  std::uint64_t bytes = 0;
  for (const Request& request : requests) bytes += request.kind == kind ? request.length : 0;
  return static_cast<double>(bytes) / static_cast<double>(kMiB);
}

TEST(ScenarioFile, every_shipped_scenario_loads_and_says_where_each_number_comes_from) {
  const auto names = data_names("scenarios");
  EXPECT_THAT(names, testing::IsSupersetOf({"flexfs-idle", "flexfs-busy", "flexfs-locality", "flexfs-response",
                                            "flexfs-endurance", "flexfs-mobile"}));
  for (const std::string& name : names) {
    const spec::TomlFile file = shipped_scenario(name);
    EXPECT_EQ(file.get_string("name"), name) << "file name and name differ";
    EXPECT_FALSE(requests_of(name).empty());
    for (const auto& [key, quantity] : file.quantities()) EXPECT_GT(quantity.source.size(), 5U) << name << " " << key;
    for (const std::string& key : unpublished_parameters(file))
      EXPECT_TRUE(file.get_quantity(key).estimate) << name << " " << key;
  }
}

TEST(ScenarioFile, mobile_scenario_adds_up_to_the_published_totals) {
  const auto requests = requests_of("flexfs-mobile");
  EXPECT_EQ(requests.size(), 43'000U);
  EXPECT_NEAR(mib(requests, RequestKind::read), 5.7, 0.001);
  EXPECT_DOUBLE_EQ(mib(requests, RequestKind::write), 39);
  EXPECT_LE(to_seconds(requests.back().arrival), 1800);
}

TEST(ScenarioFile, throughput_scenarios_use_95_percent_of_64_mb) {
  EXPECT_NEAR(mib(requests_of("flexfs-idle"), RequestKind::write), 60.8, 0.01);
  EXPECT_NEAR(to_seconds(requests_of("flexfs-idle").back().arrival), 15 * 25, 0.001);
  EXPECT_NEAR(to_seconds(requests_of("flexfs-busy").back().arrival), 15 * 10, 0.001);
  EXPECT_GT(mib(requests_of("flexfs-locality"), RequestKind::write), 60.8 * 1.25);
}

TEST(ScenarioFile, endurance_scenario_writes_440_mb) {
  EXPECT_DOUBLE_EQ(mib(requests_of("flexfs-endurance"), RequestKind::write), 440);
}

TEST(ScenarioFile, study_overrides_reach_the_scenario) {
  const Study study = parse_study(
      "[workload]\nkind = \"scenario\"\nscenario = \"flexfs-busy\"\narrival = \"trace\"\n"
      "[scenario_overrides]\nbursts.period = \"12 s\"\n",
      "s.toml");
  EXPECT_EQ(to_seconds(load_scenario(study).bursts.period), 12);
}

TEST(ScenarioFile, ranges_are_reported_in_the_unit_that_was_used) {
  const auto load = [](const char* setting) {
    const std::string study = "[workload]\nkind = \"scenario\"\nscenario = \"flexfs-busy\"\n[scenario_overrides]\n";
    return error_text([&] { (void)load_scenario(parse_study(study + setting, "s.toml")); });
  };
  EXPECT_EQ(load("bursts.used = \"120 %\"\n"),
            "s.toml:5: scenario_overrides: bursts.used: 120 % is out of range; give a value from 0 to 100 %");
  EXPECT_EQ(load("bursts.period = \"0 s\"\n"),
            "s.toml:5: scenario_overrides: bursts.period: 0 s is out of range; give a value from 1e-09 to 100000000 s");
  EXPECT_EQ(load("bursts.request = \"8 MiB\"\n"),
            "s.toml:5: scenario_overrides: bursts.request: 8 MiB is out of range; give a value from "
            "9.53674e-07 to 4 MiB");
}

TEST(ScenarioFile, what_a_scenario_is_cannot_be_overridden) {
  const auto refusal = [](const char* key) {
    const std::string study = "[workload]\nkind = \"scenario\"\nscenario = \"flexfs-busy\"\n[scenario_overrides]\n";
    return error_text([&] { (void)parse_study(study + key + " = \"windows\"\n", "s.toml"); });
  };
  EXPECT_EQ(refusal("shape"),
            "s.toml:5: scenario_overrides.shape: a scenario keeps its shape, only its numbers can be overridden; use "
            "another workload.scenario, or a file of your own");
  EXPECT_THAT(refusal("name"), testing::StartsWith("s.toml:5: scenario_overrides.name: a scenario keeps its name, "));
  EXPECT_THAT(refusal("title"),
              testing::StartsWith("s.toml:5: scenario_overrides.title: a scenario keeps its title, "));
  EXPECT_THAT(error_text([] {
                (void)parse_study("", "s.toml", std::vector<Setting>{{"scenario_overrides.shape", "windows"}});
              }),
              testing::StartsWith("--set: scenario_overrides.shape: a scenario keeps its shape"));
}

TEST(ScenarioFile, mistakes_name_the_file_and_the_key) {
  const auto load = [](const char* text) {
    return error_text([&] { (void)load_scenario_config(spec::TomlFile::parse(text, "x.toml")); });
  };
  EXPECT_EQ(load("name = \"x\"\ntitle = \"X\"\nshape = \"waves\"\n"),
            "x.toml:3: shape: 'waves' is not one of bursts | probes | windows | applications");
  EXPECT_EQ(load("name = \"x\"\ntitle = \"X\"\nshape = \"bursts\"\n"), "x.toml: bursts.used: missing; add this key");
}

}  // namespace
}  // namespace ftlab::platform
