// What a study stands on: every key and every quantity with its value in use, its mark and its source.
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "platform/study/params.h"
#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

using Json = nlohmann::json;
using test::Outcome;
using test::run;
using testing::HasSubstr;

const std::vector<std::string> kFlexFs = {
    "--set", "part=flexonenand-4gb",   "--set", "part_profile=flexfs-calibrated",
    "--set", "host=omap2420-400",      "--set", "ftl.firmware=flexfs",
    "--set", "workload.kind=scenario", "--set", "workload.scenario=flexfs-mobile"};

Outcome inputs(std::vector<std::string> words, const std::vector<std::string>& more = {}) {
  words.insert(words.begin(), "inputs");
  words.insert(words.end(), more.begin(), more.end());
  return run(words);
}

Json rows_of(std::vector<std::string> words, const std::vector<std::string>& more = {}) {
  words.emplace_back("--json");
  const Outcome outcome = inputs(std::move(words), more);
  EXPECT_EQ(outcome.code, kOk) << outcome.err;
  return Json::parse(outcome.out);
}

Json row_of(const Json& rows, const std::string& of, const std::string& key) {
  for (const Json& row : rows) {
    if (row.at("of") == of && row.at("key") == key) return row;
  }
  ADD_FAILURE() << "no row " << of << " " << key;
  return Json::object();
}

std::string value_of(const Json& rows, const std::string& of, const std::string& key) {
  return row_of(rows, of, key).value("value", "(none)");
}

std::set<std::string> kinds_of(const Json& rows) {
  std::set<std::string> kinds;
  for (const Json& row : rows) kinds.insert(row.at("of").get<std::string>());
  return kinds;
}

TEST(Inputs, every_key_that_is_resolved_comes_first_in_the_order_of_the_table) {
  const Json rows = rows_of({});
  std::size_t i = 0;
  for (const Param& param : params()) {
    if (!param.read) continue;
    EXPECT_EQ(rows.at(i).at("of"), "study");
    EXPECT_EQ(rows.at(i).at("key"), param.key);
    EXPECT_EQ(rows.at(i).at("source"), param.help);
    EXPECT_EQ(rows.at(i).at("mark"), param.unpublished ? "unpublished" : "") << param.key;
    ++i;
  }
  EXPECT_EQ(rows.at(i).at("of"), "part");
  EXPECT_EQ(rows.back().at("of"), "host");
}

TEST(Inputs, type_bounds_and_choices_are_those_of_the_key) {
  const Json rows = rows_of({});
  const Json utilization = row_of(rows, "study", "ftl.utilization");
  EXPECT_EQ(utilization.at("type"), "number");
  EXPECT_EQ(utilization.at("least"), "0.01");
  EXPECT_EQ(utilization.at("most"), "0.99");
  const Json selection = row_of(rows, "study", "ftl.selection");
  EXPECT_EQ(selection.at("choices"),
            "greedy | cost_benefit | cat | fifo | linux_pcmcia | windowed_greedy | d_choices | random | partition_fifo "
            "| lru");
  EXPECT_EQ(selection.at("least"), "") << "no number";
  EXPECT_EQ(row_of(rows, "host", "work.page_rate").at("type"), "number");
  EXPECT_EQ(row_of(rows, "host", "work.page_rate").at("most"), "");
}

TEST(Inputs, values_of_keys_follow_the_settings) {
  const Json rows = rows_of({"--set", "ftl.selection=cat", "--set", "ftl.spare_factor=0.25", "--set",
                             "workload.device=[\"a\", \"b\"]", "--set", "platform.store_content=false", "--seed", "7"});
  EXPECT_EQ(value_of(rows, "study", "ftl.selection"), "cat");
  EXPECT_EQ(value_of(rows, "study", "ftl.utilization"), "0.75") << "resolved";
  EXPECT_EQ(value_of(rows, "study", "workload.device"), "[\"a\", \"b\"]");
  EXPECT_EQ(value_of(rows, "study", "platform.store_content"), "false");
  EXPECT_EQ(value_of(rows, "study", "seed"), "7");
}

TEST(Inputs, overridden_quantity_has_its_new_value_and_says_who_gave_it) {
  const Json before = row_of(rows_of({}), "host", "work.page_rate");
  EXPECT_EQ(before.at("mark"), "fitted");
  const Json after = row_of(rows_of({"--set", "host_overrides.work.page_rate=\"1.5 ms\""}), "host", "work.page_rate");
  EXPECT_EQ(after.at("value"), "1.5");
  EXPECT_EQ(after.at("unit"), "ms");
  EXPECT_EQ(after.at("mark"), "");
  EXPECT_THAT(after.at("source").get<std::string>(), HasSubstr("--set"));
}

TEST(Inputs, numbers_of_the_chosen_profile_stand_in_their_places) {
  const Json datasheet = rows_of({"--set", "part=flexonenand-4gb"});
  const Json calibrated = rows_of({"--set", "part=flexonenand-4gb", "--set", "part_profile=flexfs-calibrated"});
  EXPECT_NE(row_of(datasheet, "part", "timing.erase_slc").at("mark"), "fitted");
  EXPECT_EQ(row_of(calibrated, "part", "timing.erase_slc").at("mark"), "fitted");
  EXPECT_EQ(value_of(calibrated, "part", "timing.erase_slc"), "845");
  for (const Json& row : calibrated) EXPECT_FALSE(row.at("key").get<std::string>().starts_with("profiles.")) << row;
  const Json both = rows_of({"--set", "part=flexonenand-4gb", "--set", "part_profile=flexfs-calibrated"},
                            {"--set", "part_overrides.timing.erase_slc=500"});
  EXPECT_EQ(value_of(both, "part", "timing.erase_slc"), "500") << "the study's word is the last";
}

TEST(Inputs, every_kind_of_mark_shows_where_it_is_kept) {
  const Json rows = rows_of(kFlexFs);
  std::map<std::string, std::set<std::string>> marks;
  for (const Json& row : rows) marks[row.at("of").get<std::string>()].insert(row.at("mark").get<std::string>());
  EXPECT_TRUE(marks["study"].contains("unpublished"));
  for (const char* mark : {"fitted", "estimate", ""}) {
    EXPECT_TRUE(marks["part"].contains(mark)) << mark;
    EXPECT_TRUE(marks["host"].contains(mark) || *mark == '\0') << mark;
  }
  EXPECT_TRUE(marks["scenario"].contains("estimate,unpublished")) << "free, and judged by us";
  EXPECT_TRUE(marks["scenario"].contains("estimate"));
  EXPECT_TRUE(marks["scenario"].contains(""));
}

TEST(Inputs, scenario_is_listed_only_where_it_is_the_workload) {
  EXPECT_EQ(kinds_of(rows_of({})), (std::set<std::string>{"host", "part", "study"}));
  EXPECT_EQ(kinds_of(rows_of(kFlexFs)), (std::set<std::string>{"host", "part", "scenario", "study"}));
  EXPECT_EQ(value_of(rows_of(kFlexFs, {"--set", "scenario_overrides.duration=\"10 min\""}), "scenario", "duration"),
            "10");
}

TEST(Inputs, of_a_host_a_simulated_core_has_the_bus_alone) {
  const Json rows = rows_of({"--set", "platform.processor=arm"});
  EXPECT_EQ(value_of(rows, "host", "bus_read_cycle"), "450");
  for (const Json& row : rows) {
    const std::string key = row.at("key");
    EXPECT_FALSE(row.at("of") == "host" && (key.starts_with("work.") || key == "timer_tick")) << key;
  }
}

TEST(Inputs, table_is_for_people_and_programs_get_every_digit) {
  const std::vector<std::string> words = {"--set", "ftl.utilization=0.123456789012"};
  const std::string table = inputs(words).out;
  EXPECT_THAT(table, testing::StartsWith("of "));
  EXPECT_THAT(table, HasSubstr(" 0.123457 "));
  EXPECT_EQ(table.substr(0, table.find('\n')).find("least"), std::string::npos);
  EXPECT_EQ(rows_of(words).at(0).size(), 10U);
  EXPECT_EQ(value_of(rows_of(words), "study", "ftl.utilization"), "0.123456789012");
  EXPECT_THAT(inputs(words, {"--csv"}).out,
              testing::StartsWith("of,key,value,unit,mark,source,type,least,most,choices\r\nstudy,part,"));
}

TEST(Inputs, what_no_file_knows_is_refused_in_one_line) {
  const auto error = [](const std::string& setting) {
    const Outcome outcome = inputs(kFlexFs, {"--set", setting});
    EXPECT_EQ(outcome.code, kBadInput);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_EQ(error("host_overrides.work.page_rat=1"),
            "ftlab: error: --set: host_overrides: work.page_rat: unknown key; did you mean 'work.page_rate'?\n");
  EXPECT_THAT(error("part_overrides.timing.erase_sl=1"), HasSubstr("did you mean 'timing.erase_slc'?\n"));
  EXPECT_THAT(error("scenario_overrides.duratio=1"), HasSubstr("did you mean 'duration'?\n"));
  EXPECT_THAT(error("ftl.utilisation=0.5"), HasSubstr("did you mean 'ftl.utilization'?\n"));
}

TEST(Inputs, empty_name_of_a_study_is_not_a_study_of_defaults) {
  EXPECT_EQ(inputs({""}).err, "ftlab: error: STUDY: must not be empty; name a study file (`ftlab init` writes one)\n");
}

class InputsFiles : public test::FolderTest {};

TEST_F(InputsFiles, study_file_gives_the_values) {
  const std::string study = file("study.toml", "seed = 5\n[host_overrides]\nwork.page_rate = 3\n");
  const Json rows = rows_of({study});
  EXPECT_EQ(value_of(rows, "study", "seed"), "5");
  EXPECT_EQ(value_of(rows, "host", "work.page_rate"), "3");
  EXPECT_EQ(value_of(rows_of({study, "--set", "seed=6"}), "study", "seed"), "6");
}

TEST(Inputs, help_ends_with_examples) {
  EXPECT_THAT(run({"inputs", "--help"}).out, HasSubstr("Examples:\n  ftlab inputs"));
}

TEST(Inputs, lists_of_a_part_are_there_with_their_source) {
  const Json rows = rows_of({"--set", "part=array-tlc-72l"});
  EXPECT_EQ(value_of(rows, "part", "read_retry.sensings"), "1 1 1 1 1 3");
  EXPECT_THAT(row_of(rows, "part", "erase_steps.cycles").value("source", ""), HasSubstr("AERO"));
  EXPECT_EQ(row_of(rows, "part", "erase_steps.cycles").value("type", ""), "list of numbers");
  const Outcome table = inputs({"--set", "part=array-tlc-72l"});
  EXPECT_THAT(table.out, HasSubstr("read_retry.sensings"));
}

}  // namespace
}  // namespace ftlab::platform::cli
