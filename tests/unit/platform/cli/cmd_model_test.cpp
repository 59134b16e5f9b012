// Models from the command line: values, forms, and what becomes of the obvious mistakes.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "platform/analytic/model.h"
#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

using test::Outcome;
using test::run;
using testing::HasSubstr;

/// `ftlab model` with words behind it, one error line without "ftlab: error: ".
std::string model_error(std::vector<std::string> words) {
  words.insert(words.begin(), "model");
  const Outcome outcome = run(words);
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1);
  const std::string begin = "ftlab: error: ";
  EXPECT_TRUE(outcome.err.starts_with(begin));
  return outcome.err.substr(begin.size(), outcome.err.size() - begin.size() - 1);
}

nlohmann::json model_json(std::vector<std::string> words) {
  words.insert(words.begin(), "model");
  words.emplace_back("--json");
  const Outcome outcome = run(words);
  EXPECT_EQ(outcome.code, kOk) << outcome.err;
  return nlohmann::json::parse(outcome.out);
}

std::vector<std::string> set(std::vector<std::string> words, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    words.emplace_back("--set");
    words.push_back(setting);
  }
  return words;
}

const std::vector<std::string> kUsual = {"spare_factor=0.1", "pages_per_segment=64"};

TEST(ModelCommand, without_a_name_lists_models_and_inputs) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"model"}, {"model", "--list"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, kOk);
    for (const analytic::Model* model : analytic::models()) {
      EXPECT_THAT(outcome.out, HasSubstr("\n" + std::string(model->name) + " "));
      EXPECT_THAT(outcome.out, HasSubstr(std::string(model->help)));
    }
    for (const analytic::InputRow* row : analytic::input_rows())
      EXPECT_THAT(outcome.out, HasSubstr("\n" + std::string(row->name) + " "));
  }
}

TEST(ModelCommand, prints_the_value_and_what_led_to_it) {
  const Outcome outcome = run(set({"model", "greedy"}, kUsual));
  EXPECT_EQ(outcome.code, kOk);
  EXPECT_EQ(outcome.out, R"(greedy: greedy cleaning, uniform writes (Eq. 11-12)

quantity    class      value  what it is
-------------------------------------------------------------------------------------------------
value               4.815857  write amplification
alpha               1.111111  T / U
x0                  51.71057  fewest valid pages that a noticeable share of segments has (Eq. 11)
derivative         -34.73869  of the write amplification by alpha (Eq. 29)
)");
}

TEST(ModelCommand, json_has_all_digits) {
  const nlohmann::json json = model_json(set({"greedy"}, kUsual));
  EXPECT_EQ(json.at("schema"), "ftlab-model");
  EXPECT_EQ(json.at("model"), "greedy");
  EXPECT_EQ(json.at("inputs").at("pages_per_segment"), 64);
  const double x0 = json.at("x0").get<double>();
  EXPECT_NEAR(json.at("value").get<double>(), 64 / (64 - (x0 - 1)), 1e-13);
}

TEST(ModelCommand, json_lists_what_belongs_to_classes) {
  const auto words = set(set({"optimal_split"}, kUsual), {"access=0.9,0.1", "data=[0.05, 0.95]"});
  const nlohmann::json json = model_json(words);
  EXPECT_NEAR(json.at("value").get<double>(), 1.85989, 5e-6);
  ASSERT_EQ(json.at("split").size(), 2U);
  EXPECT_NEAR(json.at("split").at(0).get<double>(), 0.415339, 5e-7);
  EXPECT_DOUBLE_EQ(json.at("split").at(0).get<double>() + json.at("split").at(1).get<double>(), 1);
}

TEST(ModelCommand, one_share_stands_for_hot_and_cold_data) {
  const nlohmann::json brief =
      model_json({"lru_hotcold", "--set", "spare_factor=0.1", "--set", "access=0.9", "--set", "data=0.05"});
  const nlohmann::json full =
      model_json({"lru_hotcold", "--set", "spare_factor=0.1", "--set", "access=0.9,0.1", "--set", "data=0.05,0.95"});
  EXPECT_DOUBLE_EQ(brief.at("value").get<double>(), full.at("value").get<double>());
}

TEST(ModelCommand, csv_has_a_row_for_each_quantity_of_each_class) {
  const Outcome outcome = run({"model", "lru_classes", "--set", "spare_factor=0.1", "--set", "access=0.5,0.3,0.2",
                               "--set", "data=0.2,0.3,0.5", "--csv"});
  EXPECT_EQ(outcome.code, kOk);
  EXPECT_THAT(outcome.out, testing::StartsWith("quantity,class,value,what it is\r\nvalue,,"));
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 6);
}

TEST(ModelCommand, later_setting_of_an_input_counts) {
  EXPECT_EQ(
      model_json({"lru", "--set", "spare_factor=0.2", "--set", "spare_factor=0.1"}).at("inputs").at("spare_factor"),
      0.1);
}

TEST(ModelCommand, names_that_do_not_exist_come_with_the_nearest) {
  EXPECT_EQ(model_error({"gredy"}), "no model named 'gredy'; did you mean 'greedy'?");
  EXPECT_EQ(model_error({"wombat"}), "no model named 'wombat'; `ftlab model` lists all");
  EXPECT_EQ(model_error(set({"greedy"}, {"spare_factr=0.1"})),
            "--set: spare_factr: unknown input; did you mean 'spare_factor'?");
  EXPECT_EQ(model_error(set({"greedy"}, {"wombat=1"})),
            "--set: wombat: unknown input; greedy takes spare_factor, pages_per_segment");
  EXPECT_EQ(model_error({"greedy", "--sett", "a=1"}), "unknown option '--sett'; did you mean '--set'?");
}

TEST(ModelCommand, input_that_the_model_does_not_use_is_refused) {
  EXPECT_EQ(model_error(set({"lru"}, kUsual)), "--set: pages_per_segment: lru does not use it; it takes spare_factor");
}

TEST(ModelCommand, values_that_are_none_are_refused) {
  const auto greedy = [](const std::string& setting) { return model_error(set({"greedy"}, {setting})); };
  EXPECT_EQ(greedy("spare_factor"), "--set: 'spare_factor' is not KEY=VALUE; write for example --set spare_factor=0.1");
  EXPECT_EQ(greedy("spare_factor=a"),
            "--set: spare_factor: must be a number, or one with unit such as \"15 %\", not a string ('a')");
  EXPECT_EQ(greedy("spare_factor=2ms"), "--set: spare_factor: wants a share, not '2ms'; give for example \"15 %\"");
  EXPECT_EQ(greedy("spare_factor=1.5"), "--set: spare_factor: 1.5 is out of range; give a number from 0 to 1");
  EXPECT_EQ(greedy("spare_factor=1"), "spare_factor: 1 is out of range; give a number above 0 and below 1");
  EXPECT_EQ(greedy("pages_per_segment=64.5"),
            "--set: pages_per_segment: must be an integer, not a floating-point number (64.5)");
  EXPECT_EQ(greedy("pages_per_segment=0"),
            "--set: pages_per_segment: 0 is out of range; give an integer from 1 to 1000000");
  EXPECT_EQ(greedy("pages_per_segment=64"), "spare_factor: is missing; give a number above 0 and below 1");
}

TEST(ModelCommand, settings_without_a_model_and_a_list_of_one_are_refused) {
  EXPECT_EQ(model_error(set({}, kUsual)), "--set: belongs to a model; name one, `ftlab model` lists all");
  EXPECT_THAT(model_error({"greedy", "--list"}), HasSubstr("excludes"));
}

TEST(ModelCommand, help_has_examples) {
  EXPECT_THAT(run({"model", "--help"}).out, HasSubstr("Examples:\n  ftlab model "));
}

}  // namespace
}  // namespace ftlab::platform::cli
